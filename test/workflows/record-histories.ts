// Records the histories that replay.test.ts replays: `node test/workflows/record-histories.ts`, or with
// names of scenarios only those. To be run when the workflows were changed on purpose in a way that
// replay refuses.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { SourceAuthError, SourceRequestError } from '../../api/errors.ts'
import { leaseServer } from '../../engine/server/lease-server.ts'
import { stopServer } from '../parts/stop-server.ts'
import { budgetUpdate } from '../../workflows/budget.ts'
import { cancelUpdate, pauseUpdate, resumeUpdate } from '../../workflows/messages.ts'
import type { BudgetLease, BudgetReport } from '../../workflows/steer-budget.ts'
import { cleanHistory, type JsonValue } from './clean-history.ts'
import { fakeWarehouse, staged } from './fake-warehouse.ts'
import type { Answer, Ask, FakeWarehouseOptions } from './fake-warehouse.ts'
import { quietReport } from './quiet-report.ts'
import { openBench, type WorkflowBench } from './workflow-bench.ts'

const OUT = fileURLToPath(new URL('../histories/', import.meta.url))
const PAGE_MS = 40

interface Scenario {
  name: string
  /** How often the run publishes while it goes on. Default: at its end only. */
  publishEveryMs?: number
  warehouse: FakeWarehouseOptions
  /**
   * Starts the workflows, waits for their end, and returns by part the ids of those whose histories are kept:
   * `<workflow id>` or `<workflow id>#<run id>`.
   */
  run: (bench: WorkflowBench, asks: readonly Ask[]) => Promise<Record<string, string>>
}

/** The report of a process to which nothing new has happened. */
const QUIET = quietReport('')

const slowPage = async (): Promise<Answer> => {
  await sleep(PAGE_MS)
  return staged
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

/** Resolves when the run has published for the first time. */
const shown = Promise.withResolvers<void>()

const toItsEnd: Scenario['run'] = async (bench) => {
  const { handle } = await bench.start()
  await handle.result()
  return { export: bench.workflowId }
}

const scenarios: Scenario[] = [
  {
    // A coin choice in two attempts, a wait demanded by the source, a failed slice, a slice for a later batch.
    name: 'faults',
    warehouse: {
      slices: 30,
      universes: ['top:3'],
      choose: ({ tries }) => (tries === 0 ? { isWhole: false, tries: 1 } : {}),
      answer: ({ ordinal, before, atMs }) => {
        if (ordinal === 0 && before === 0) return { kind: 'throttled', untilMs: atMs + 1_200 }
        if (ordinal === 1)
          throw new SourceRequestError('unknown coin', { code: 'SOURCE_NOT_FOUND' })
        if (ordinal === 2 && before === 0) {
          return { kind: 'left', begun: { tries: 1 }, notBeforeMs: atMs + 1_500 }
        }
        return staged
      },
    },
    run: toItsEnd,
  },
  {
    name: 'pause-resume',
    warehouse: { slices: 60, answer: slowPage },
    async run(bench, asks) {
      const { handle } = await bench.start()
      await until(() => asks.length > 5)
      await handle.executeUpdate(pauseUpdate)
      await sleep(300)
      await handle.executeUpdate(resumeUpdate)
      await handle.result()
      return { export: bench.workflowId }
    },
  },
  {
    name: 'cancel',
    warehouse: { slices: 100, answer: slowPage },
    async run(bench, asks) {
      const { handle } = await bench.start()
      await until(() => asks.length > 5)
      await handle.executeUpdate(cancelUpdate)
      await handle.result()
      return { export: bench.workflowId }
    },
  },
  {
    name: 'refused-key',
    warehouse: {
      slices: 10,
      answer: ({ ordinal }) => {
        if (ordinal > 2) throw new SourceAuthError('the source refuses the key, HTTP 401')
        return staged
      },
    },
    run: toItsEnd,
  },
  {
    // Two processes share a key; one is told to wait, which stops both; one leaves.
    name: 'budget',
    warehouse: { slices: 0 },
    async run(bench) {
      const handle = await bench.startBudget()
      const tell = (member: string, news: Partial<BudgetReport>): Promise<BudgetLease> =>
        handle.executeUpdate(budgetUpdate, { args: [{ ...QUIET, member, place: member, ...news }] })
      await tell('a', {})
      await tell('b', {})
      await tell('a', { calls: 4, inWindow: 4, holds: 15, blockedForMs: 1_200 })
      await tell('b', { holds: 15 })
      await sleep(2_000)
      await tell('b', { isLeaving: true })
      await tell('a', { calls: 9, inWindow: 5, holds: 15 })
      await sleep(300)
      return { shared: handle.workflowId }
    },
  },
  {
    // A window of a schedule and the run it makes.
    name: 'window',
    warehouse: { slices: 3 },
    async run(bench) {
      const handle = await bench.startWindow('hourly')
      await handle.result()
      return { sync: handle.workflowId, export: `${bench.workflowId}/hourly` }
    },
  },
  {
    // A window whose run fails: the window fails too, so that the schedule can be paused.
    name: 'window-failed',
    warehouse: {
      slices: 3,
      answer: () => {
        throw new SourceAuthError('the source refuses the key, HTTP 401')
      },
    },
    async run(bench) {
      const handle = await bench.startWindow('hourly')
      await handle.result().catch(() => undefined)
      return { sync: handle.workflowId, export: `${bench.workflowId}/hourly` }
    },
  },
  {
    // Readers are shown what is there while the run goes on.
    name: 'rhythm',
    publishEveryMs: 50,
    warehouse: {
      // A hundred light slices fill several loads. The batch of slice 0 waits for the first publication.
      slices: 100,
      answer: async ({ ordinal }) => {
        if (ordinal === 0) await shown.promise
        return staged
      },
      onPublish: () => shown.resolve(),
    },
    run: toItsEnd,
  },
  {
    name: 'continued',
    warehouse: { slices: 60 },
    async run(bench) {
      const { handle } = await bench.start({ batchesPerHistory: 2 })
      const { runId: first } = await handle.describe()
      await handle.result()
      return { first: `${bench.workflowId}#${first}`, last: bench.workflowId }
    },
  },
]

async function record(address: string, wanted: readonly Scenario[]): Promise<void> {
  for (const { name, publishEveryMs, warehouse: options, run } of wanted) {
    const warehouse = fakeWarehouse(options)
    const rhythm = publishEveryMs === undefined ? {} : { publishEveryMs }
    const bench = await openBench({ address, warehouse, ...rhythm })
    try {
      const workflows = await run(bench, warehouse.asks)
      for (const [part, execution] of Object.entries(workflows)) {
        const [workflowId = '', runId] = execution.split('#')
        const handle = bench.client.workflow.getHandle(workflowId, runId)
        const json = historyToJSON(await handle.fetchHistory())
        const clean = cleanHistory(JSON.parse(json) as JsonValue)
        writeFileSync(join(OUT, `${name}.${part}.json`), `${JSON.stringify(clean)}\n`)
      }
    } finally {
      await bench.close()
    }
  }
}

const stateDir = mkdtempSync(join(tmpdir(), 'coinlake-record-'))
try {
  const names = process.argv.slice(2)
  const wanted = scenarios.filter(({ name }) => names.length === 0 || names.includes(name))
  if (names.length === 0) rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  const lease = await leaseServer({ stateDir, env: process.env })
  await record(lease.address, wanted)
  lease.release()
} finally {
  await stopServer(stateDir)
  rmSync(stateDir, { recursive: true, force: true })
}
