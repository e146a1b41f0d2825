import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectLostRequests, noteLostRequest } from '../../../activities/fetch/lost-requests.ts'
import type { LostRequest } from '../../../sinks/store-records.ts'
import { tempDir } from '../../parts/temp-dir.ts'

function lost(requestId: string): LostRequest {
  return {
    requestId,
    sliceId: 'a'.repeat(20),
    operation: 'coins/list',
    url: 'http://x/v2/coins/list',
    status: 503,
    code: 'SOURCE_UNAVAILABLE',
    requestedAtMs: 1,
    durationMs: 2,
    calls: 3,
  }
}

test('notes are handed over whole, once, and then they are gone', async () => {
  const stage = tempDir()
  const ids = Array.from({ length: 450 }, (_, i) => `r${i}`)
  for (const id of ids) await noteLostRequest(stage, lost(id))
  const seen: LostRequest[] = []
  const collect = () =>
    collectLostRequests(stage, async (requests) => {
      seen.push(...requests)
    })
  await collect()
  expect(seen.map(({ requestId }) => requestId).sort()).toEqual(ids.sort())
  expect(seen[0]).toEqual(lost(seen[0]?.requestId ?? ''))
  await collect()
  expect(seen).toHaveLength(450)
  expect(await readdir(join(stage, 'lost'))).toEqual([])
  expect(await readdir(join(stage, 'tmp'))).toEqual([])
})

test('what the ledger did not take is still there', async () => {
  const stage = tempDir()
  await noteLostRequest(stage, lost('r1'))
  const refuse = () => Promise.reject(new Error('disk full'))
  await expect(collectLostRequests(stage, refuse)).rejects.toThrow('disk full')
  const seen: LostRequest[] = []
  await collectLostRequests(stage, async (requests) => void seen.push(...requests))
  expect(seen).toHaveLength(1)
})

test('a note that a power cut has emptied never ends a run', async () => {
  const stage = tempDir()
  await noteLostRequest(stage, lost('r1'))
  await writeFile(join(stage, 'lost', 'broken.json'), '')
  const seen: string[] = []
  await collectLostRequests(stage, async (requests) => {
    seen.push(...requests.map(({ requestId }) => requestId))
  })
  expect(seen).toEqual(['r1'])
  expect(await readdir(join(stage, 'lost'))).toEqual([])
  expect(await readdir(join(stage, 'damaged'))).toHaveLength(1)
})
