import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LostRequest } from '../sinks/store.ts'

/**
 * Writes down a request that brought no page. Only the loader may touch the ledger, so fetch workers
 * leave a small file each, and the loader collects them: refused and failed calls count too.
 */
export async function noteLostRequest(stageDir: string, request: LostRequest): Promise<void> {
  const dir = lostDir(stageDir)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, `${randomUUID()}.json`)
  await writeFile(`${file}.tmp`, JSON.stringify(request), { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}

/** Hands all noted requests to `record`, then removes them. Recording the same one twice changes nothing. */
export async function collectLostRequests(
  stageDir: string,
  record: (requests: LostRequest[]) => Promise<void>,
): Promise<number> {
  const dir = lostDir(stageDir)
  const names = await readdir(dir).catch(() => [])
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(dir, name))
  if (files.length === 0) return 0
  const requests = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as LostRequest),
  )
  await record(requests)
  await Promise.all(files.map((file) => rm(file, { force: true })))
  return requests.length
}

function lostDir(stageDir: string): string {
  return join(stageDir, 'lost')
}
