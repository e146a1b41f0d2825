import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_KEPT_MS } from '../../activities/end/sweep-state.ts'
import { writeStateFile } from '../../activities/state-file.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'

/** The run that was begun last on a warehouse. */
export interface BegunRun {
  runId: string
  /** The command that goes on with it. */
  goOnWith: string
}

/**
 * Notes the begun run, so that commands can name it while no Temporal server is up. Only a note: Temporal knows
 * whether the run is open, and the ledger what it did.
 *
 * @throws SinkError STATE_NOT_WRITTEN
 */
export async function noteBegunRun(paths: WarehousePaths, run: BegunRun): Promise<void> {
  await writeStateFile(noteFile(paths), run, 'STATE_NOT_WRITTEN')
}

/** The run that was begun last, if it has left no report: it was broken off. Old reports are removed, so an old note tells nothing. */
export function brokenOffRun(paths: WarehousePaths): BegunRun | null {
  const file = noteFile(paths)
  let run: BegunRun
  try {
    if (Date.now() - statSync(file).mtimeMs > STATE_KEPT_MS) return null
    run = JSON.parse(readFileSync(file, 'utf8')) as BegunRun
  } catch {
    return null
  }
  return existsSync(join(paths.runsDir, `${run.runId}.json`)) ? null : run
}

/** For a run that was ended without a report. */
export function forgetBegunRun(paths: WarehousePaths): void {
  rmSync(noteFile(paths), { force: true })
}

function noteFile({ stateDir }: WarehousePaths): string {
  return join(stateDir, 'begun-run.json')
}
