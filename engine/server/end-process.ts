import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, type ProcessIdentity } from '../process-identity.ts'

/** The dev server closes its database within a second; after this time it is killed. */
const TERM_PATIENCE_MS = 5_000
const KILL_PATIENCE_MS = 2_000
const POLL_MS = 20

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return
  try {
    process.kill(identity.pid, name)
  } catch {
    // The process ended between the check and the signal.
  }
}

async function endsWithin(identity: ProcessIdentity, patienceMs: number): Promise<boolean> {
  const deadlineMs = Date.now() + patienceMs
  while (isAlive(identity)) {
    if (Date.now() > deadlineMs) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Ends exactly this process: SIGTERM, then SIGKILL. @returns false when the process still lives */
export async function endProcess(
  identity: ProcessIdentity,
  patienceMs: number = TERM_PATIENCE_MS,
): Promise<boolean> {
  signal(identity, 'SIGTERM')
  if (await endsWithin(identity, patienceMs)) return true
  signal(identity, 'SIGKILL')
  return endsWithin(identity, KILL_PATIENCE_MS)
}
