import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskStage } from '../../stage/disk-stage.ts'
import { sliceFolder } from '../../stage/page-path.ts'
import { RecentRows } from '../../stage/recent-rows.ts'
import { KEY, pageOf, ROWS, SPEC } from './staged-sample.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinlake-stage-'))
})
afterEach(() => rm(dir, { recursive: true }))

test('who has written a page gets its rows without reading them again', async () => {
  const stage = diskStage({ dir, keep: 'forever' })
  const page = pageOf(ROWS)
  const written = await stage.write(page)
  const { rows } = page.tables[0]!
  expect(await stage.readTable(written, SPEC.name)).toBe(rows)
  const fromFile = await diskStage({ dir, keep: 'forever' }).readTable(written, SPEC.name)
  expect(fromFile).not.toBe(rows)
  expect(tableToIPC(fromFile, 'stream')).toEqual(tableToIPC(rows, 'stream'))
})

test('a file that was changed or lost since counts, not what is remembered', async () => {
  const stage = diskStage({ dir, keep: 'forever' })
  const written = await stage.write(pageOf(ROWS))
  await writeFile(join(dir, sliceFolder(KEY.sliceId, 0), written.tables[0]!.name), 'other')
  const reading = stage.readTable(written, SPEC.name)
  await expect(reading).rejects.toMatchObject({ code: 'STAGE_DAMAGED' })
})

test('after the release of a page its rows are gone', async () => {
  const stage = diskStage({ dir, keep: 'forever' })
  const written = await stage.write(pageOf(ROWS))
  await stage.release(KEY.sliceId, 0)
  await expect(stage.readTable(written, SPEC.name)).rejects.toMatchObject({ code: 'STAGE_DAMAGED' })
})

test('the oldest rows leave when there are too many bytes', () => {
  const rows = pageOf(ROWS).tables[0]!.rows
  const recent = new RecentRows(10)
  recent.keep('a', rows, 4)
  recent.keep('b', rows, 4)
  recent.keep('a', rows, 4)
  recent.keep('c', rows, 4)
  expect(['a', 'b', 'c'].filter((path) => recent.get(path) !== undefined)).toEqual(['a', 'c'])
  recent.keep('too-large', rows, 11)
  expect(recent.get('too-large')).toBeUndefined()
  recent.forget('a')
  recent.keep('d', rows, 6)
  expect(['a', 'c', 'd'].filter((path) => recent.get(path) !== undefined)).toEqual(['c', 'd'])
})
