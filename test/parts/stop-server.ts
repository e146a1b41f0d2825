import { isAlive } from '../../engine/process-identity.ts'
import { endProcess } from '../../engine/server/end-process.ts'
import { readAnyRecord, statePaths } from '../../engine/server/server-state.ts'

const KEEPER_PATIENCE_MS = 10_000

/**
 * Stops the server of a state folder now, even if it is leased, and waits for its end.
 *
 * @returns false when no server ran.
 */
export async function stopServer(stateDir: string): Promise<boolean> {
  const record = readAnyRecord(statePaths(stateDir))
  if (record === null || !isAlive(record.supervisor)) return false
  return endProcess(record.supervisor, KEEPER_PATIENCE_MS)
}
