import { defineConfig } from 'vitest/config'
import LongestFirst from './test/reporter/longest-first.ts'

/**
 * Files that `npm run test:kills` has and `npm test` leaves out: kills of processes, disks that fill up, upgrades, the
 * package, proofs at size, and commands that take half a minute. Both together are all tests but those of test/scale, which need PostgreSQL and S3.
 */
const KILLS = [
  'test/budget/simulated-key.test.ts',
  'test/cli/bad-warehouse.test.ts',
  'test/cli/query/{published-in-use,query}.test.ts',
  'test/cli/run/{bad-source,gone-coin,gone-dataset,month-ceiling,several-keys}.test.ts',
  'test/cli/schedule/schedule.test.ts',
  'test/cli/verify/{flipped-bytes,verify}.test.ts',
  'test/cli/watch/watching.test.ts',
  'test/cli/metrics/{otlp,prometheus}.test.ts',
  'test/cli/reads-only/{fuzz,query-locks}.test.ts',
  'test/cli/report/bad-runs.test.ts',
  'test/cli/restore.test.ts',
  'test/docs/{cookbook,readme-way}.test.ts',
  'test/package/**/*.test.ts',
  'test/proof/**/*.test.ts',
  'test/readers/**/*.test.ts',
  'test/resume/**/*.test.ts',
  'test/safety/**/*.test.ts',
  'test/service/faults/{hard-faults,moving-listings}.test.ts',
  'test/service/real-client.test.ts',
  'test/service/simulated/on-demand-market.test.ts',
  'test/sinks/publish/{delta,duckdb,parquet}-publication.test.ts',
  'test/sinks/publish/newest-tables.test.ts',
  'test/sinks/duckdb-store/{fresh-slices,many-rows,more-memory}.test.ts',
  'test/stage/{crash,disk-full}.test.ts',
]
const NEVER = ['**/node_modules/**', 'test/scale/**']

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          // Files share a process: none leaves anything behind, and modules are loaded once instead of 250 times.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...KILLS],
          // Only tests that hang take this long. On a busy machine good tests are slow.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // One more than there are cores: integration tests wait for their servers half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'kills',
          include: KILLS,
          exclude: NEVER,
          testTimeout: 900_000,
          hookTimeout: 900_000,
          // More than there are cores, because these tests mostly wait until a kill is noticed.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    // One real Temporal server for all files: inject('temporal') tells where.
    globalSetup: ['./test/temporal/global-setup.ts'],
    // Vitest's own second is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    reporters: ['default', './test/reporter/closing-line.ts'],
  },
})
