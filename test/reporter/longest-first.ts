import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of `npm run test:kills` that take more than a minute beside others, the longest first. */
const LONGEST = [
  'year.test.ts',
  'readers.test.ts',
  'real-input.test.ts',
  'round-trip.test.ts',
  'no-worker.test.ts',
  'disk-full.test.ts',
  'kills.test.ts',
  'crash-points.test.ts',
  'upgrade.test.ts',
  'pack.test.ts',
  'gone-coin.test.ts',
  'changed-key.test.ts',
  'cookbook.test.ts',
  'widened-range.test.ts',
  'foreign-text.test.ts',
]

/** Starts the longest files first, so that none of them runs alone at the end. A fresh clone knows no times yet. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.indexOf(basename(moduleId))
      return place < 0 ? LONGEST.length : place
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
