import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { keptWorker, stopKeptWorker } from './kept-worker.ts'
import { ROOMS } from './rooms.ts'

const room = process.env['COINLAKE_MUTATE_ROOM'] ?? ''
const { besides = [], except = [], last = [] } = ROOMS[room] ?? {}

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number =>
      last.indexOf(basename(file.moduleId, '.test.ts'))
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** The tests of one room (`COINLAKE_MUTATE_ROOM`): Stryker runs those that reach a mutant. */
export default defineConfig({
  plugins: [
    {
      name: 'kept-worker',
      // Stryker's runner names a pool of vitest's own, over that of a configuration.
      configureVitest: ({ project, vitest }) => {
        Object.assign(project.config, { pool: keptWorker.name, poolRunner: keptWorker })
        vitest.onClose(stopKeptWorker)
      },
    },
  ],
  test: {
    include: [`test/${room}/**/*.test.ts`, ...besides],
    exclude: except.map((name) => `test/${room}/**/${name}.test.ts`),
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 30_000,
  },
})
