import { readdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from '@temporalio/worker'
import { beforeAll, expect, test } from 'vitest'
import { installRuntime } from '../../engine/runtime.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'

const DIR = fileURLToPath(new URL('../histories/', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const names = readdirSync(DIR).filter((name) => name.endsWith('.json'))
names.sort((a, b) => a.localeCompare(b))

let codePath: string
beforeAll(async () => {
  // The runtime would otherwise write every worker's life to the terminal.
  installRuntime(() => undefined)
  ;({ codePath } = await workflowBundle({ env: process.env }))
})

interface History {
  events: {
    workflowExecutionStartedEventAttributes?: { workflowId: string; workflowType: { name: string } }
  }[]
}

function workflowOf(name: string): string | undefined {
  const { events } = JSON.parse(readFileSync(join(DIR, name), 'utf8')) as History
  return events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name
}

function replay(json: string): Promise<void> {
  const history = JSON.parse(json) as History
  const { workflowId } = history.events[0]?.workflowExecutionStartedEventAttributes ?? {}
  return Worker.runReplayHistory({ workflowBundle: { codePath } }, history, workflowId)
}

test('there is a history of each workflow, of every way a run goes', () => {
  const scenarios = new Set(names.map((name) => name.split('.')[0]))
  expect(scenarios).toEqual(
    new Set([
      'budget',
      'cancel',
      'continued',
      'faults',
      'pause-resume',
      'refused-key',
      'rhythm',
      'window',
      'window-failed',
    ]),
  )
  expect(new Set(names.map(workflowOf))).toEqual(
    new Set(['budget', 'exportWarehouse', 'syncWarehouse']),
  )
})

// Red after a change of the workflows: a run that is open during an upgrade is then ended and planned
// again from the ledger, which is right. Record anew: node test/workflows/record-histories.ts
test.for(names)('%s replays with the workflows of today', async (name) => {
  await replay(readFileSync(join(DIR, name), 'utf8'))
})

// Made at commit adbd53ee by the scenario `budget` with 25 more reports of the process `a`.
test('the budget of an older coinlake, which kept more events, goes on', async () => {
  const file = join(ROOT, 'test/fixtures/open-budget-of-adbd53ee.json')
  await replay(readFileSync(file, 'utf8'))
})

test('a workflow that would do something else is noticed', async () => {
  const json = readFileSync(join(DIR, 'faults.export.json'), 'utf8')
  const other = json.replaceAll('"planRun"', '"planOtherwise"')
  expect(other).not.toBe(json)
  await expect(replay(other)).rejects.toThrow(/nondeterminism/i)
})

test.for(names)('%s says nothing of the machine it was recorded on', (name) => {
  const json = readFileSync(join(DIR, name), 'utf8')
  const payloads = [...json.matchAll(/"data":"([^"]*)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString('utf8'),
  )
  for (const text of [json, ...payloads]) {
    expect(text).not.toContain(ROOT)
    expect(text).not.toContain(hostname())
    expect(text).not.toMatch(/\/(tmp|root|home|work)\/|stackTrace|identity/)
  }
})
