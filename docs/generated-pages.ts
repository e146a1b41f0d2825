import { configJsonSchemaText } from '../config/settings/json-schema.ts'
import { datasets } from '../datasets/index.ts'
import type { GeneratedPage } from './generated-page.ts'
import { blockPages } from './generators/block-pages.ts'
import { dataDictionary } from './generators/data-dictionary.ts'

/** config/config.schema.json: coinlake.yaml as editors know it. */
const configSchemaPage: GeneratedPage = {
  file: 'config/config.schema.json',
  generate: () => configJsonSchemaText(datasets),
}

/** Every generated file. A new one needs a file in generators/ and a line in this list. */
export const generatedPages: readonly GeneratedPage[] = [
  dataDictionary,
  configSchemaPage,
  ...blockPages,
]
