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
    // 2 cores: more files at once only make the servers of the integration tests wait for each other.
    maxWorkers: 2,
    reporters: ['default', './test/reporter/closing-line.ts'],
  },
})
