import { defineConfig } from 'vitest/config'

/** The tests of one room (`COINLAKE_MUTATE_ROOM`) that need no server of Temporal: Stryker runs them for each mutant that they reach. */
export default defineConfig({
  test: {
    include: [`test/${process.env['COINLAKE_MUTATE_ROOM']}/**/*.test.ts`],
    exclude: [
      'test/workflows/{export-run,lost-after,priorities,publish-in-rhythm,replay,start-run}.test.ts',
    ],
    pool: 'forks',
    testTimeout: 60_000,
  },
})
