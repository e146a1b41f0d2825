import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopServer } from '../../test/parts/stop-server.ts'
import type { BudgetCase, BudgetPeer } from './budget-cases.ts'
import { pythonWith } from '../python-venv.ts'
import type { CallTimes } from './budget-service.ts'
import { DLT_PACKAGES, HAND_PACKAGES } from '../compare/script-peers.ts'
import { BIN, ownEngineEnv, writeBenchConfig } from '../own-engine.ts'

/** The script of a service of its own process: gets a case as JSON, and tells its port. */
export const BUDGET_SERVICE = fileURLToPath(new URL('./budget-service.ts', import.meta.url))
/** Windows of work beyond the measured ones: no client may run out of work. */
const SPARE_WINDOWS = 2
/** Longest time from the start of the processes to their first call. */
const START_MS = 120_000
const LOOK_EVERY_MS = 1_000
const TELL_EVERY_MS = 30_000

const PEERS: Record<BudgetPeer, { script: string; packages: readonly string[] }> = {
  hand: { script: 'hand_w2.py', packages: HAND_PACKAGES },
  dlt: { script: 'dlt_rest.py', packages: DLT_PACKAGES },
}

/**
 * Measures one case with a service, an engine and warehouses of its own, until its windows are over or its clients end.
 * Makes and removes `folder`.
 *
 * @param tell gets a progress line now and then
 * @throws Error when a peer is not available or no call came.
 */
export async function runBudgetCase(
  one: BudgetCase,
  folder: string,
  tell: (line: string) => void,
): Promise<CallTimes> {
  mkdirSync(folder, { recursive: true })
  const engineDir = join(folder, 'engine')
  const service = fork(BUDGET_SERVICE, [JSON.stringify(one)])
  const processes: ChildProcess[] = []
  try {
    const [port] = (await once(service, 'message')) as [number]
    for (let index = 0; index < one.processes; index += 1) {
      processes.push(startClient(one, port, folder, index))
    }
    return await untilMeasured(one, service, processes, tell)
  } finally {
    for (const child of processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    if (one.peer === null) await stopServer(engineDir)
    service.disconnect()
    rmSync(folder, { recursive: true, force: true })
  }
}

function startClient(one: BudgetCase, port: number, folder: string, index: number): ChildProcess {
  const home = join(folder, `home-${index}`)
  mkdirSync(home, { recursive: true })
  const stdio: ['ignore', 'ignore', 'ignore'] = ['ignore', 'ignore', 'ignore']
  if (one.peer !== null) {
    const command = peerCommand(one.peer)
    if (typeof command === 'string') throw new Error(command)
    const [python = '', ...args] = command
    const rest = [`http://127.0.0.1:${port}`, String(coinsOf(one)), join(home, 'peer.duckdb')]
    const env = { ...process.env, DLT_DATA_DIR: home, RUNTIME__DLTHUB_TELEMETRY: 'false' }
    return spawn(python, [...args, ...rest, 'market_chart', home, '2'], { cwd: home, env, stdio })
  }
  const { quota, toldCalls } = one
  const ids = Array.from({ length: coinsOf(one) }, (_, number) => `coin-${index}-${number}`)
  writeBenchConfig(home, {
    baseUrl: `http://127.0.0.1:${port}`,
    datasets: `market_chart: { granularity: hourly, from: 2024-01-01, to: 2024-01-03, coins: [${ids.join(', ')}] }`,
    ...(toldCalls !== null && { rate: `{ calls: ${toldCalls}, per: ${quota.perMs / 1000}s }` }),
  })
  const env = ownEngineEnv(join(folder, 'engine'))
  return spawn(process.execPath, [BIN, 'backfill'], { cwd: home, env, stdio })
}

async function untilMeasured(
  { quota, windows }: BudgetCase,
  service: ChildProcess,
  processes: readonly ChildProcess[],
  tell: (line: string) => void,
): Promise<CallTimes> {
  const startedAtMs = Date.now()
  let toldAtMs = startedAtMs
  for (;;) {
    await sleep(LOOK_EVERY_MS)
    const nowMs = Date.now()
    const answer = once(service, 'message')
    service.send('calls')
    const [calls] = (await answer) as [CallTimes]
    const first = calls.good[0]
    const hasEnded = processes.every((child) => child.exitCode !== null)
    if (first === undefined) {
      if (hasEnded || nowMs - startedAtMs > START_MS) throw new Error('no call came')
      continue
    }
    if (hasEnded || nowMs > first + windows * quota.perMs + LOOK_EVERY_MS / 2) return calls
    if (nowMs - toldAtMs >= TELL_EVERY_MS) {
      toldAtMs = nowMs
      const window = ((nowMs - first) / quota.perMs).toFixed(1)
      tell(
        `window ${window} of ${windows}: ${calls.good.length} good, ${calls.refused.length} refused`,
      )
    }
  }
}

/** Number of coins of one process. Each coin takes one call. */
function coinsOf({ quota, windows, processes }: BudgetCase): number {
  return Math.ceil((quota.calls * (windows + SPARE_WINDOWS)) / processes)
}

/** The command of a peer without arguments, or why the peer is not available. */
export function peerCommand(peer: BudgetPeer): string[] | string {
  const { script, packages } = PEERS[peer]
  const prepared = pythonWith(packages)
  if (typeof prepared === 'string') return prepared
  return [prepared.python, fileURLToPath(new URL(`../peers/${script}`, import.meta.url))]
}
