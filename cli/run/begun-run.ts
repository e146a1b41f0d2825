import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_KEPT_MS } from '../../activities/end/sweep-state.ts'
import { readStateFile, writeStateFile } from '../../activities/state-file.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'

export interface BegunRun {
  runId: string
  goOnWith: string
}

export function brokenOffText({ runId, goOnWith }: BegunRun): string {
  return `run ${runId} was broken off; go on with: ${goOnWith}`
}

/** Lets commands name the begun run without a Temporal server. @throws SinkError STATE_NOT_WRITTEN */
export async function noteBegunRun(paths: WarehousePaths, run: BegunRun): Promise<void> {
  await writeStateFile(noteFile(paths), run, 'STATE_NOT_WRITTEN')
}

/** The last run that this folder began; null = none, or it was forgotten. */
export function begunRun(paths: WarehousePaths): BegunRun | null {
  return readStateFile(noteFile(paths)) as BegunRun | null
}

/** The last begun run, if it has left no report. Old reports are removed, so an old note proves nothing. */
export function brokenOffRun(paths: WarehousePaths): BegunRun | null {
  const run = begunRun(paths)
  if (run === null) return null
  const { mtimeMs = 0 } = statSync(noteFile(paths), { throwIfNoEntry: false }) ?? {}
  if (Date.now() - mtimeMs > STATE_KEPT_MS) return null
  return existsSync(join(paths.runsDir, `${run.runId}.json`)) ? null : run
}

/** Removes the note of a run that has ended. The note of a later run stays. */
export function forgetBegunRun(paths: WarehousePaths, runId: string): void {
  if (begunRun(paths)?.runId === runId) rmSync(noteFile(paths), { force: true })
}

function noteFile({ stateDir }: WarehousePaths): string {
  return join(stateDir, 'begun-run.json')
}
