import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ARROWS } from '../arrows.ts'
import { sourceFiles } from '../imports-of.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The files that hold a stream, and for what. All others have `print`, `printJson`, `say` and `writeOutput`. */
const HOLDERS: Readonly<Record<string, string>> = {
  'cli/effects.ts': 'the door itself',
  'cli/main.ts': 'hands the streams of the process over, and hears of their failures',
  'cli/query/output.ts': 'the door of data: exact in a file and in a pipe, escaped on a terminal',
  'cli/query/formats.ts': 'asks the terminal how wide it is',
  'cli/status/show-run.ts': 'hands it to render/live-lines.ts',
  'cli/render/create-renderer.ts': 'hands it to render/live-lines.ts and run/json-log.ts',
  'cli/run/run-log.ts': 'hands it to run/json-log.ts',
  'cli/run/run-export.ts': 'hands it to run/run-log.ts',
  'cli/run/run-worker.ts': 'hands it to run/run-log.ts',
  'cli/serve/open-request-log.ts': 'writes JSON by printableJson',
  'cli/init/questions.ts': 'hands it to the prompts, which ask in our words',
  'cli/get/agree-on-cost.ts': 'hands it to the prompt, which asks in our words',
  'config/run-program.ts': 'reads those of a child',
}

test('nobody writes to a stream past the door', () => {
  const holders = Object.keys(ARROWS)
    .flatMap(sourceFiles)
    .filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replaceAll(
        /\/\*[^]*?\*\/|\/\/.*|# .*|'(?:[^'\\\n]|\\.)*'/g,
        '',
      )
      return /\b(?:stdout|stderr|console)\b/.test(code)
    })
  expect(holders.toSorted()).toEqual(Object.keys(HOLDERS).toSorted())
})
