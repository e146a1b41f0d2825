import { configJsonSchemaText } from '../../config/settings/json-schema.ts'
import { datasets } from '../../datasets/index.ts'
import type { GeneratedPage } from '../generated-page.ts'

/** config/config.schema.json: coinlake.yaml as editors know it. */
export const configSchemaPage: GeneratedPage = {
  file: 'config/config.schema.json',
  generate: () => configJsonSchemaText(datasets),
}
