import { defineConfig } from 'vitest/config'

/** `npm run test:scale`: what needs PostgreSQL, S3 and extensions of DuckDB; test/scale/ gets and starts them. */
export default defineConfig({
  test: {
    include: ['test/scale/**/*.test.ts'],
    globalSetup: ['./test/temporal/global-setup.ts', './test/scale/global-setup.ts'],
    pool: 'forks',
    // Real servers are slow on a busy machine. Only tests that hang take this long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
