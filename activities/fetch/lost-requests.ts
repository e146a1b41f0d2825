import { randomUUID } from 'node:crypto'
import type { LostRequest } from '../../sinks/store.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import type { SharedFiles } from '../../stage/shared-files.ts'

/** Codes of answers that served the run and became no page of a slice. */
export const SERVED_CODES = {
  choice: 'UNIVERSE',
  categoryProbe: 'UNIVERSE_PROBE',
  listingProbe: 'LISTING_PROBE',
  parametersProbe: 'PARAMETERS_PROBE',
} as const

/** Files open at once, far below the limit of a process. */
const AT_ONCE = 200
/** The folder of the notes, below the stage. */
const FOLDER = 'lost'

/**
 * Notes a request that brought no page, because refused and failed calls count too. Only the loader writes the ledger,
 * so fetch workers write one small file per request, and the loader collects the files.
 *
 * @throws StageError
 */
export async function noteLostRequest(stageDir: string, request: LostRequest): Promise<void> {
  await sharedFiles(stageDir).write(`${FOLDER}/${randomUUID()}.json`, JSON.stringify(request))
}

/**
 * Hands all noted requests to `record`, then removes the notes. Recording a request twice changes nothing. An
 * unreadable note goes to `damaged/` and does not end the run.
 *
 * @returns the number of requests
 */
export async function collectLostRequests(
  stageDir: string,
  record: (requests: LostRequest[]) => Promise<void>,
): Promise<number> {
  const files = sharedFiles(stageDir)
  const noted = (await files.list(FOLDER))
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.json'))
  let collected = 0
  for (let start = 0; start < noted.length; start += AT_ONCE) {
    const names = noted.slice(start, start + AT_ONCE)
    const requests = await Promise.all(names.map((name) => readNote(files, name)))
    const readable = requests.filter((request) => request !== null)
    if (readable.length > 0) await record(readable)
    await files.remove(names)
    collected += readable.length
  }
  return collected
}

async function readNote(files: SharedFiles, name: string): Promise<LostRequest | null> {
  // Another worker of a shared stage may have removed the file.
  const text = await files.read(name)
  if (text === null) return null
  try {
    return JSON.parse(text.toString('utf8')) as LostRequest
  } catch {
    await files.write(`damaged/lost-${randomUUID()}.json`, text.toString('utf8'))
    return null
  }
}
