import type { GeneratedPage } from './generated-page.ts'
import { blockPages } from './generators/block-pages.ts'
import { configSchemaPage } from './generators/config-schema.ts'
import { dataDictionary } from './generators/data-dictionary.ts'

/** Every generated file. A new one needs a file in generators/ and a line in this list. */
export const generatedPages: readonly GeneratedPage[] = [
  dataDictionary,
  configSchemaPage,
  ...blockPages,
]
