import { setTimeout as sleep } from 'node:timers/promises'
import type { RunReport } from '../../activities/run-report.ts'
import { runningServer } from '../../engine/server/lease-server.ts'
import { streamSeed, wholeBelow } from '../../service/market/random.ts'
import type { CliProcess, Ended } from '../../test/parts/cli-process.ts'
import type { Lake } from '../../test/parts/lake.ts'

/** The processes that are killed with SIGKILL. */
const VICTIMS = ['worker', 'helper', 'command', 'Temporal server'] as const
type Victim = (typeof VICTIMS)[number]

/** Time from one kill to the next. */
const PAUSE_MS = { least: 4_000, more: 16_000 }
/** Time until an ended worker is started again. */
const RESTART_MS = 1_000
/** Exit codes of a run that came to its end. */
const ENDED_CODES = [0, 3]

/** The outcome of a run under kills. */
export type ChaosRun = Awaited<ReturnType<typeof runChaos>>

/**
 * Keeps a worker, a helper with the same key, and the command running, as a process manager does. Meanwhile kills one of
 * them or the Temporal server, again and again. After `forMs` lets all of them finish.
 *
 * @param print gets a line per kill
 */
export async function runChaos(
  { lake, helper }: { lake: Lake; helper: Lake },
  { seed, forMs }: { seed: number; forMs: number },
  print: (line: string) => void,
) {
  const draw = streamSeed(seed, 'chaos')
  const startedMs = performance.now()
  const kills: Record<Victim, number> = { worker: 0, helper: 0, command: 0, 'Temporal server': 0 }
  /** Exit code and last two lines of each command or worker that ended without a report. */
  const earlierEnds: string[] = []
  const over = new AbortController()
  const current: Partial<Record<Victim, CliProcess>> = {}

  async function keep(victim: 'worker' | 'helper'): Promise<void> {
    while (!over.signal.aborted) {
      current[victim] = (victim === 'worker' ? lake : helper).start(['worker'])
      const { code, stderr } = await current[victim].ended
      if (code !== null && !over.signal.aborted)
        earlierEnds.push(`${victim} ${code}: ${lastLine(stderr)}`)
      await sleep(RESTART_MS)
    }
  }

  async function follow(): Promise<RunReport> {
    for (;;) {
      // The worker takes the warehouse first. The command then hands its run over.
      await current.worker?.says('working on').catch(() => undefined)
      current.command = lake.start(['backfill', '--json'])
      const ended: Ended = await current.command.ended
      if (ENDED_CODES.includes(ended.code ?? -1)) return JSON.parse(ended.stdout) as RunReport
      if (ended.code !== null) earlierEnds.push(`command ${ended.code}: ${lastLine(ended.stderr)}`)
    }
  }

  async function disturb(): Promise<void> {
    for (let turn = 0; performance.now() - startedMs < forMs; turn += 2) {
      const pauseMs = PAUSE_MS.least + wholeBelow(draw, turn, PAUSE_MS.more)
      await sleep(pauseMs, undefined, { signal: over.signal }).catch(() => undefined)
      if (over.signal.aborted) return
      const victim = VICTIMS[wholeBelow(draw, turn + 1, VICTIMS.length)]!
      if (!kill(victim)) continue
      kills[victim] += 1
      print(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${victim} killed`)
    }
  }

  function kill(victim: Victim): boolean {
    const process = current[victim]
    if (victim === 'Temporal server') return killServer(lake.engineDir)
    if (process?.isRunning() !== true) return false
    process.kill('SIGKILL')
    return true
  }

  const kept = [keep('worker'), keep('helper')]
  const disturbed = disturb()
  try {
    const report = await follow()
    return { report, kills, earlierEnds, minutes: (performance.now() - startedMs) / 60_000 }
  } finally {
    over.abort()
    await disturbed
    for (const victim of ['worker', 'helper'] as const) current[victim]?.kill('SIGINT')
    await Promise.all(kept)
  }
}

function killServer(engineDir: string): boolean {
  const pid = runningServer(engineDir)?.server.pid
  if (pid === undefined) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').slice(-2).join(' / ')
}
