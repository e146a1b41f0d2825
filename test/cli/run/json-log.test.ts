import { expect, test } from 'vitest'
import { jsonLog } from '../../../cli/run/json-log.ts'
import { engineLog } from '../../../cli/run/run-log.ts'

test.for([
  {
    name: 'with its cause',
    error: new Error('the window failed', { cause: new Error('no answer') }),
    logged: { type: 'Error', message: 'the window failed: no answer' },
  },
  { name: 'that is no Error unchanged', error: 'text', logged: 'text' },
])("a line of Temporal's has its error $name", ({ error, logged }) => {
  const lines: string[] = []
  const log = jsonLog('warn', { write: (line) => lines.push(line) })
  engineLog(log)('WARN', 'Workflow failed', { error })
  expect(JSON.parse(lines.join(''))).toMatchObject({ msg: 'Workflow failed', error: logged })
})
