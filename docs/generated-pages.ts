import { readFile } from 'node:fs/promises'
import { readRecords, RESULTS_DIR } from '../bench/bench-record.ts'
import { benchmarks } from '../bench/benchmarks.ts'
import { configJsonSchema } from '../config/settings/json-schema.ts'
import { datasets } from '../datasets/index.ts'
import { benchLines } from './generators/bench-blocks.ts'
import { cliLines } from './generators/cli-blocks.ts'
import { dataDictionary } from './generators/data-dictionary.ts'
import { faultLines } from './generators/fault-blocks.ts'
import { fillBlocks } from './generators/fill-blocks.ts'
import { interfaceLines } from './generators/interface-blocks.ts'
import { settingLines } from './generators/setting-blocks.ts'

/** A file that code writes and the repository keeps. A test checks that it is up to date. */
interface GeneratedPage {
  /** Path from the repository. */
  file: string
  generate(): string | Promise<string>
}

/** Hand-written pages with generated blocks: figures of bench/results/ and facts of the code. */
const BLOCK_PAGES = [
  'README.md',
  'bench/README.md',
  'docs/cli.md',
  'docs/configuration.md',
  'docs/faults.md',
  'docs/interface.md',
]

export const generatedPages: readonly GeneratedPage[] = [
  { file: 'docs/data-dictionary.md', generate: dataDictionary },
  {
    file: 'config/config.schema.json',
    generate: () => `${JSON.stringify(configJsonSchema(datasets), null, 2)}\n`,
  },
  ...BLOCK_PAGES.map((file) => ({ file, generate: () => blockPage(file) })),
]

async function blockPage(file: string): Promise<string> {
  const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
  const facts = { benchmarks, records: readRecords(RESULTS_DIR) }
  return fillBlocks(file, text, {
    bench: (what) => benchLines(what, facts),
    cli: cliLines,
    faults: faultLines,
    interface: interfaceLines,
    settings: settingLines,
  })
}
