import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import type { RunReport } from '../activities/run-report.ts'
import { runningServer } from '../engine/server/lease-server.ts'
import type { Ended } from '../test/parts/cli-process.ts'
import { streamSeed, wholeBelow } from '../service/market/random.ts'
import { marketCoins, repeatedRequests, serveMarket } from '../test/parts/day-market.ts'
import { openLake, type Lake } from '../test/parts/lake.ts'
import { olderBuild, OTHER_CODE, type OlderBuild } from '../test/resume/older-build.ts'
import { positiveNumbers } from './benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { withOwnEngine } from './own-engine.ts'

const QUOTA = { calls: 30, perMs: 10_000 }
const DEFAULT_TRIES = 10
const DEFAULT_COINS = 150
/** The kill comes after a random share of all calls: `from`, and up to `part` more. */
const KILL = { from: 0.1, part: 0.6 }
const LOOK_EVERY_MS = 50

type Trial = Awaited<ReturnType<typeof tryOnce>>

export const builds: Benchmark = {
  name: 'builds',
  measures:
    'two builds whose workflow code differs, with one server and one key, either of them killed',
  args: '[tries [coins of each]]',
  takes: '20 min',
  run: measureBuilds,
}

/** Each try has new warehouses. The tries kill the first and the second build by turns. */
async function measureBuilds({ folder, args, print }: BenchContext): Promise<BenchFigures> {
  const [tries = DEFAULT_TRIES, coins = DEFAULT_COINS] = positiveNumbers(args, 2)
  const other = olderBuild(OTHER_CODE)
  const trials: Trial[] = []
  await withOwnEngine(folder, async (engineDir) => {
    for (let turn = 0; turn < tries; turn += 1) {
      const trial = await tryOnce(turn, coins, other, engineDir)
      print(`try ${turn + 1}: ${JSON.stringify(trial)}`)
      trials.push(trial)
    }
  }).finally(() => other.remove())
  const sum = (of: (trial: Trial) => number): number =>
    trials.reduce((total, trial) => total + of(trial), 0)
  const rows = [
    {
      name: 'runs that ended complete',
      cells: [{ value: sum((one) => one.complete), atLeast: 2 * tries }],
    },
    { name: 'calls refused', cells: [{ value: sum((one) => one.refused), atMost: 0 }] },
    { name: 'calls made again', cells: [sum((one) => one.repeated)] },
    {
      name: 'budgets ended by another build',
      cells: [{ value: sum((one) => one.budgetsEnded), atMost: 0 }],
    },
    { name: 'workflow tasks failed', cells: [{ value: sum((one) => one.failedTasks), atMost: 0 }] },
  ]
  return {
    scenario: `${tries} tries, ${coins} coins for each of two builds, ${QUOTA.calls} calls per ${QUOTA.perMs / 1000} s`,
    tables: [{ columns: [{ name: '' }], rows }],
  }
}

/** One try: how both runs ended, and whether the builds harmed each other. */
async function tryOnce(turn: number, coins: number, other: OlderBuild, engineDir: string) {
  const size = { coins: 2 * coins, latencyMs: 50 }
  const service = await serveMarket({ ...size, quota: QUOTA })
  const ids = marketCoins(size)
  const lakeOf = (own: readonly string[]): Lake =>
    openLake(
      service.url,
      [`market_chart: { coins: ${JSON.stringify(own)}, granularity: hourly, from: 2024-03-28 }`],
      { sinks: ['duckdb'], engineDir },
    )
  const sides = [
    { lake: lakeOf(ids.slice(0, coins)), program: undefined },
    { lake: lakeOf(ids.slice(coins)), program: other.program },
  ]
  try {
    const killed = turn % sides.length
    const killAt =
      (KILL.from + (KILL.part * wholeBelow(streamSeed(turn, 'builds'), 0, 1_000)) / 1_000) *
      2 *
      coins
    const reports = await Promise.all(
      sides.map(async ({ lake, program }, side): Promise<RunReport> => {
        const backfill = () => lake.start(['backfill', '--json'], {}, program)
        const command = backfill()
        if (side !== killed) return reportIn(await command.ended)
        while (service.log.length < killAt && command.isRunning()) await sleep(LOOK_EVERY_MS)
        command.kill('SIGKILL')
        await command.ended
        return reportIn(await backfill().ended)
      }),
    )
    return {
      complete: reports.filter(({ verdict }) => verdict === 'complete').length,
      refused: service.log.filter(({ status }) => status === 429).length,
      repeated: repeatedRequests(service.log),
      ...(await harmDone(engineDir)),
    }
  } finally {
    for (const { lake } of sides) await lake.remove()
    await service.close()
  }
}

function reportIn({ code, stdout, stderr }: Ended): RunReport {
  if (code !== 0) throw new Error(`backfill ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as RunReport
}

/** Numbers of ended budgets and failed workflow tasks on the server so far. */
async function harmDone(engineDir: string) {
  const record = runningServer(engineDir)
  if (record === null) throw new Error(`no server in ${engineDir}`)
  const connection = await Connection.connect({ address: record.address })
  try {
    const client = new Client({ connection, namespace: record.namespace })
    let budgetsEnded = 0
    let failedTasks = 0
    for await (const { workflowId, runId, type, status } of client.workflow.list()) {
      const isEnded = ['TERMINATED', 'FAILED', 'TIMED_OUT', 'CANCELLED'].includes(status.name)
      if (type === 'budget' && isEnded) budgetsEnded += 1
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
      failedTasks += (events ?? []).filter(
        (one) => one.workflowTaskFailedEventAttributes != null,
      ).length
    }
    return { budgetsEnded, failedTasks }
  } finally {
    await connection.close()
  }
}
