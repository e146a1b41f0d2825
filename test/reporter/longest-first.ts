import { basename } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Files of `npm run test:kills` that take a minute and more, the longest first. */
const LONGEST = [
  'readers.test.ts',
  'kills.test.ts',
  'crash-points.test.ts',
  'disk-full.test.ts',
  'round-trip.test.ts',
  'hard-faults.test.ts',
  'mild-export.test.ts',
  'real-input.test.ts',
  'init-costs.test.ts',
  'upgrade.test.ts',
  'foreign-text.test.ts',
  'lost-state.test.ts',
  'bad-runs.test.ts',
  'clock-jumps.test.ts',
  'newest-tables.test.ts',
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
