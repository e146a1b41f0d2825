import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askSource } from '../../../activities/fetch/ask-source.ts'
import type { GoodAnswer } from '../../../activities/fetch/ask-source.ts'
import { fetchBench, freeLimits } from './fetch-bench.ts'

test('a call whose note could not be written is noted when its page fails', async () => {
  const bench = await fetchBench(() => ({ body: [] }))
  const notes = join(bench.dir, 'lost')
  await writeFile(notes, 'in the way of a folder')
  const use = async (answer: GoodAnswer): Promise<null> => {
    try {
      await answer.recordLost('WRONG_GRANULARITY')
      return null
    } finally {
      await rm(notes)
    }
  }
  const request = { sliceId: 's', operation: 'coins/list', params: {} } as const
  await expect(askSource(bench.deps, request, freeLimits(), use)).rejects.toThrow('lost')
  expect(await bench.lost()).toMatchObject([{ sliceId: 's', calls: 1 }])
})
