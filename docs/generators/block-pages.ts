import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readRecords, RESULTS_DIR } from '../../bench/bench-record.ts'
import { benchmarks } from '../../bench/benchmarks.ts'
import type { GeneratedPage } from '../generated-page.ts'
import { benchLines } from './bench-blocks.ts'
import { cliLines } from './cli-blocks.ts'
import { faultLines } from './fault-blocks.ts'
import { fillBlocks } from './fill-blocks.ts'
import { interfaceLines } from './interface-blocks.ts'
import { settingLines } from './setting-blocks.ts'

/** Hand-written pages with generated blocks: figures of bench/results/ and facts of the code. */
export const blockPages: readonly GeneratedPage[] = [
  'README.md',
  'bench/README.md',
  'docs/cli.md',
  'docs/configuration.md',
  'docs/faults.md',
  'docs/interface.md',
].map((file) => ({
  file,
  generate: async () => {
    const text = await readFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
    const facts = { benchmarks, records: readRecords(RESULTS_DIR) }
    return fillBlocks(file, text, {
      bench: (what) => benchLines(what, facts),
      cli: cliLines,
      faults: faultLines,
      interface: interfaceLines,
      settings: settingLines,
    })
  },
}))
