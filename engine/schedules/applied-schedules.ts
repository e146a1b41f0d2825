import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runSubject } from '../../activities/alerts/alert.ts'
import { reportedStates } from '../../activities/alerts/reported-states.ts'
import { writeStateFile } from '../../activities/state-file.ts'

/**
 * Names of the warehouse's schedules that the server has, as far as this disk knows. A command that deletes a schedule
 * takes its name away, so a name without a schedule on the server tells of a lost one.
 */
export async function appliedSchedules(stateDir: string): Promise<string[]> {
  try {
    return JSON.parse(await readFile(fileIn(stateDir), 'utf8')) as string[]
  } catch {
    return []
  }
}

/**
 * Writes the names. A name that is no longer among them loses its bad state, because no window would recover it.
 *
 * @throws SinkError SCHEDULES_NOT_NOTED
 */
export async function noteApplied(stateDir: string, names: readonly string[]): Promise<void> {
  const before = await appliedSchedules(stateDir)
  const deleted = before.filter((name) => !names.includes(name))
  if (deleted.length === 0 && names.length === before.length) return
  await writeStateFile(fileIn(stateDir), names, 'SCHEDULES_NOT_NOTED')
  const subjects = new Set(deleted.map((schedule) => runSubject({ schedule, orderId: '' })))
  const nobody = { raise: () => Promise.resolve() }
  const states = reportedStates(nobody, [], join(stateDir, 'alerts'))
  await states.keepOnly((subject) => !subjects.has(subject))
}

function fileIn(stateDir: string): string {
  return join(stateDir, 'schedules.json')
}
