import type { GeneratedPage } from './generated-page.ts'
import { benchPages } from './generators/bench-pages.ts'
import { cliPage } from './generators/cli.ts'
import { configSchemaPage } from './generators/config-schema.ts'
import { configurationPage } from './generators/configuration.ts'
import { dataDictionary } from './generators/data-dictionary.ts'
import { faultsPage } from './generators/faults.ts'
import { interfacePage } from './generators/interface.ts'

/** Every generated file. A new one needs a file in generators/ and a line in this list. */
export const generatedPages: readonly GeneratedPage[] = [
  dataDictionary,
  cliPage,
  interfacePage,
  faultsPage,
  configSchemaPage,
  configurationPage,
  ...benchPages,
]
