import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // `npm run test:scale` has those: they need PostgreSQL and S3.
    exclude: ['**/node_modules/**', 'test/scale/**'],
    // One real Temporal server for all files: inject('temporal') tells where.
    globalSetup: ['./test/temporal/global-setup.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One more than the 2 cores: a quarter of the time a file waits, for a timeout or for a server.
    maxWorkers: 3,
    reporters: ['default', './test/reporter/closing-line.ts'],
  },
})
