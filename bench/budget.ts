import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopServer } from '../engine/lease-server.ts'
import { budgetCases } from './budget-cases.ts'
import type { BudgetCase } from './budget-cases.ts'
import type { CountedCalls } from './budget-service.ts'
import { textTable } from './table.ts'

const HEAD = ['limit', 'refused', 'used when steady', 'used from cold', 'processes']
const BIN = fileURLToPath(new URL('../bin/coinlake.js', import.meta.url))
const SERVICE = fileURLToPath(new URL('./budget-service.ts', import.meta.url))
/** Windows of a cold start: after them a run is in its steady state. */
const COLD_WINDOWS = 2
/** Work beyond the windows that are measured, so that nobody runs out of it. */
const SPARE_WINDOWS = 2
/** From the start of the processes to their first call, at most. */
const START_MS = 90_000

/**
 * How much of a rate limit is used, and what is refused: `coinlake backfill` in one and four
 * processes under limits of a service that counts by itself. An argument after `budget` takes only
 * the cases whose names hold it.
 *
 * @param folder for warehouses; emptied by the caller
 */
export async function budget(folder: string, print: (line: string) => void): Promise<void> {
  const wanted = process.argv[3] ?? ''
  const rows: string[][] = []
  for (const one of budgetCases.filter(({ name }) => name.includes(wanted))) {
    const calls = await runCase(one, join(folder, 'case'))
    const row = rowOf(one, calls)
    rows.push(row)
    print(row.join('  '))
  }
  print('')
  for (const line of textTable(HEAD, rows)) print(line)
}

async function runCase(one: BudgetCase, folder: string): Promise<CountedCalls> {
  rmSync(folder, { recursive: true, force: true })
  const engineDir = join(folder, 'engine')
  const service = fork(SERVICE, [JSON.stringify(one)])
  const [port] = (await once(service, 'message')) as [number]
  const processes: ChildProcess[] = []
  try {
    for (let index = 0; index < one.processes; index += 1) {
      const home = join(folder, `home-${index}`)
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, 'coinlake.yaml'), configOf(one, port, index))
      const env = {
        ...process.env,
        COINLAKE_API_KEY: 'bench',
        COINLAKE_ENGINE_DIR: engineDir,
        COINLAKE_ENGINE_ISOLATED: '1',
      }
      const stdio = ['ignore', 'ignore', 'ignore'] as const
      processes.push(
        spawn(process.execPath, [BIN, 'backfill'], { cwd: home, env, stdio: [...stdio] }),
      )
    }
    return await untilMeasured(one, service, processes)
  } finally {
    for (const child of processes) {
      if (child.exitCode !== null) continue
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    await stopServer(engineDir)
    service.disconnect()
  }
}

async function untilMeasured(
  { quota, windows }: BudgetCase,
  service: ChildProcess,
  processes: readonly ChildProcess[],
): Promise<CountedCalls> {
  const startedAtMs = Date.now()
  for (;;) {
    await new Promise((resolve) => {
      setTimeout(resolve, 1_000)
    })
    const answer = once(service, 'message')
    service.send('calls')
    const [calls] = (await answer) as [CountedCalls]
    const first = calls.good[0]
    if (first === undefined && Date.now() - startedAtMs > START_MS) throw new Error('no call came')
    const isOver = first !== undefined && Date.now() > first + windows * quota.perMs + 500
    if (isOver || processes.every((child) => child.exitCode !== null)) return calls
  }
}

function rowOf(
  { name, quota, windows, foreignCalls, processes }: BudgetCase,
  calls: CountedCalls,
): string[] {
  const first = calls.good[0] ?? 0
  const used = (from: number, to: number): string => {
    const inside = calls.good.filter((ms) => {
      const window = (ms - first) / quota.perMs
      return window >= from && window < to
    })
    const allowed = (quota.calls - foreignCalls) * (to - from)
    return `${((inside.length / allowed) * 100).toFixed(1)} %`
  }
  const steady = used(COLD_WINDOWS, windows)
  return [name, String(calls.refused.length), steady, used(0, windows), String(processes)]
}

function configOf(one: BudgetCase, port: number, index: number): string {
  const { quota, windows, processes, toldCalls } = one
  const count = Math.ceil((quota.calls * (windows + SPARE_WINDOWS)) / processes)
  const ids = Array.from({ length: count }, (_, number) => `coin-${index}-${number}`)
  const rate =
    toldCalls === null ? '' : `, rate: { calls: ${toldCalls}, per: ${quota.perMs / 1000}s }`
  return `source: { base_url: "http://127.0.0.1:${port}", api_key: "\${COINLAKE_API_KEY}"${rate} }
warehouse: ./warehouse
sinks: [duckdb]
datasets:
  market_chart:
    granularity: hourly
    from: 2024-01-01
    to: 2024-01-03
    coins: [${ids.join(', ')}]
`
}
