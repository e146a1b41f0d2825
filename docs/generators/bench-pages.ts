import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readRecords, RESULTS_DIR } from '../../bench/bench-record.ts'
import { benchmarks } from '../../bench/benchmarks.ts'
import type { GeneratedPage } from '../generated-page.ts'
import { fillBenchBlocks } from './bench-blocks.ts'

/** Hand-written pages with blocks of figures from bench/results/. */
export const benchPages: readonly GeneratedPage[] = [
  'README.md',
  'bench/README.md',
  'docs/performance.md',
  'docs/publications.md',
].map((file) => ({
  file,
  generate: async () => {
    const text = await readFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
    return fillBenchBlocks(file, text, { benchmarks, records: readRecords(RESULTS_DIR) })
  },
}))
