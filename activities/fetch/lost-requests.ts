import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import type { LostRequest } from '../../sinks/store-records.ts'
import { sharedFiles, type SharedFiles } from '../../stage/shared-files.ts'

/** Codes of good answers that become no page of a slice. */
export const PAGELESS_CODES = {
  choice: 'UNIVERSE',
  categoryProbe: 'UNIVERSE_PROBE',
  listingProbe: 'LISTING_PROBE',
  parametersProbe: 'PARAMETERS_PROBE',
  currencies: 'CURRENCIES_PROBE',
} as const

/** Notes that are read at once from a bucket. */
const AT_ONCE = 200
/** The folder of the notes, inside the stage. */
const FOLDER = 'lost'

/**
 * Notes a request that no load will record, because its calls count too. Only the loader writes the ledger, so it
 * collects the notes of the fetch workers, one small file each.
 *
 * @throws StageError
 */
export async function noteLostRequest(stageDir: string, request: LostRequest): Promise<void> {
  await sharedFiles(stageDir).write(`${FOLDER}/${randomUUID()}.json`, JSON.stringify(request))
}

/**
 * Hands all noted requests to `record`, then removes the notes. Recording twice changes nothing. An unreadable note moves
 * to `damaged/`.
 */
export async function collectLostRequests(
  stageDir: string,
  record: (requests: LostRequest[]) => Promise<void>,
): Promise<void> {
  const files = sharedFiles(stageDir)
  const names = (await files.list(FOLDER))
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.json'))
  const notes = await pLimit(AT_ONCE).map(names, (name) => readNote(files, name))
  const requests = notes.filter((request) => request !== null)
  if (requests.length > 0) await record(requests)
  await files.remove(names)
}

async function readNote(files: SharedFiles, name: string): Promise<LostRequest | null> {
  // Another worker of a shared stage may have removed the note.
  const text = await files.read(name)
  if (text === null) return null
  try {
    return JSON.parse(text.toString('utf8')) as LostRequest
  } catch {
    await files.write(`damaged/lost-${randomUUID()}.json`, text.toString('utf8'))
    return null
  }
}
