import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LostRequest } from '../sinks/store.ts'
import { writeDurably } from '../stage/durable-file.ts'

/** Files open at once while notes are collected: far below what a process may have open. */
const AT_ONCE = 200

/**
 * Writes down a request that brought no page. Only the loader may touch the ledger, so fetch workers
 * leave a small file each, and the loader collects them: refused and failed calls count too.
 *
 * @throws StageError
 */
export async function noteLostRequest(stageDir: string, request: LostRequest): Promise<void> {
  const file = join(lostDir(stageDir), `${randomUUID()}.json`)
  await writeDurably(file, JSON.stringify(request), { tempDir: join(stageDir, 'tmp') })
}

/**
 * Hands all noted requests to `record`, then removes them; returns how many. Recording the same one
 * twice changes nothing. A note that cannot be read goes to `damaged/`: it must not end a run.
 */
export async function collectLostRequests(
  stageDir: string,
  record: (requests: LostRequest[]) => Promise<void>,
): Promise<number> {
  const names = await readdir(lostDir(stageDir)).catch(() => [])
  const noted = names.filter((name) => name.endsWith('.json'))
  let collected = 0
  for (let start = 0; start < noted.length; start += AT_ONCE) {
    const files = noted.slice(start, start + AT_ONCE).map((name) => join(lostDir(stageDir), name))
    const requests = await Promise.all(files.map((file) => readNote(file, stageDir)))
    const readable = requests.filter((request) => request !== null)
    if (readable.length > 0) await record(readable)
    await Promise.all(files.map((file) => rm(file, { force: true })))
    collected += readable.length
  }
  return collected
}

async function readNote(file: string, stageDir: string): Promise<LostRequest | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LostRequest
  } catch {
    const movedTo = join(stageDir, 'damaged', `lost-${randomUUID()}.json`)
    await mkdir(join(stageDir, 'damaged'), { recursive: true, mode: 0o700 })
    await rename(file, movedTo).catch(() => undefined)
    return null
  }
}

function lostDir(stageDir: string): string {
  return join(stageDir, 'lost')
}
