import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeStateFile } from '../../activities/state-file.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'

/** The run that was begun last on a warehouse. */
export interface BegunRun {
  runId: string
  /** The command that goes on with it. */
  goOnWith: string
}

/**
 * Writes down which run was begun, so that commands can tell of it while no Temporal server is up. Only
 * a note: whether the run is open is known to Temporal, and what it did to the ledger.
 *
 * @throws SinkError STATE_NOT_WRITTEN
 */
export async function noteBegunRun(paths: WarehousePaths, run: BegunRun): Promise<void> {
  await writeStateFile(noteFile(paths), run, 'STATE_NOT_WRITTEN')
}

/** The run that was begun last, if it has left no report: it was broken off. */
export function brokenOffRun(paths: WarehousePaths): BegunRun | null {
  let run: BegunRun
  try {
    run = JSON.parse(readFileSync(noteFile(paths), 'utf8')) as BegunRun
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
