import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROTOCOL } from '../../../sinks/publish-delta/delta-actions.ts'
import { checkpointOf, linesOfCheckpoint } from '../../../sinks/publish-delta/delta-checkpoint.ts'
import { tempDir } from '../../parts/temp-dir.ts'

test('a checkpoint gives the entries back that it was made of, and leaves no file', async () => {
  const [madeIn, readIn] = [join(tempDir(), 'made'), join(tempDir(), 'read')]
  const add = { path: 'coins/1.parquet', partitionValues: {}, size: 7, dataChange: true }
  const remove = { path: 'coins/0.parquet', deletionTimestamp: 5, dataChange: true }
  const content = await checkpointOf(madeIn, [PROTOCOL, { add }, { remove }])
  const lines = (await linesOfCheckpoint(readIn, content)).split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { protocol: PROTOCOL['protocol'], add: null, remove: null },
    { protocol: null, add, remove: null },
    { protocol: null, add: null, remove },
  ])
  expect([...readdirSync(madeIn), ...readdirSync(readIn)]).toEqual([])
})
