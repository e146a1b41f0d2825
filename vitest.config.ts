import { defineConfig } from 'vitest/config'

/**
 * What `npm run test:kills` has and `npm test` leaves out: kills of processes, disks that fill up, upgrades, the
 * package, and proofs at size. Both together are all tests but those of test/scale, which need PostgreSQL and S3.
 */
const KILLS = [
  'test/package/**/*.test.ts',
  'test/proof/**/*.test.ts',
  'test/readers/**/*.test.ts',
  'test/resume/**/*.test.ts',
  'test/safety/**/*.test.ts',
  'test/sinks/store/kill-load.test.ts',
  'test/stage/crash.test.ts',
]
const NEVER = ['**/node_modules/**', 'test/scale/**']

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // 2 cores: more files at once only make the servers of the integration tests wait for each other.
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...KILLS],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // A test that waits until a killed process is missed needs no core meanwhile.
        test: {
          name: 'kills',
          include: KILLS,
          exclude: NEVER,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    // One real Temporal server for all files: inject('temporal') tells where.
    globalSetup: ['./test/temporal/global-setup.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/reporter/closing-line.ts'],
  },
})
