import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Table, tableToIPC } from 'apache-arrow'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DiskStage, type DiskStageOptions, diskStage } from '../../stage/disk-stage.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { StageError } from '../../stage/stage-error.ts'
import { KEY, ROWS, SLICE_ID, SPEC, pageOf } from './staged-sample.ts'

const DAY = 86_400_000
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinlake-stage-'))
})
afterEach(() => rm(dir, { recursive: true }))

function open(options: Partial<DiskStageOptions> = {}): DiskStage {
  return diskStage({ dir, keep: 'forever', ...options })
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

function pagePath(name: string): string {
  return join(dir, 'pages', SLICE_ID.slice(0, 2), `${SLICE_ID}-g0`, name)
}

function valuesOf(table: Table): unknown[] {
  return table.toArray().map((row: { toJSON(): unknown }) => row.toJSON())
}

describe('round trip', () => {
  test.each([
    { what: 'nulls, unicode, extremes', rows: ROWS },
    { what: 'no rows', rows: [] },
    { what: 'many rows', rows: Array.from({ length: 5_000 }, (_, i) => ROWS[i % 3]!) },
  ])('$what', async ({ rows }) => {
    const page = pageOf(rows)
    const written = await open().write(page)
    // Another stage object, as in another process: nothing is remembered.
    const stage = open()
    const found = await stage.find(KEY)
    expect(found).toEqual(written)
    expect(found).toMatchObject(page.facts)
    const table = await stage.readTable(found!, SPEC.name)
    expect(table.numRows).toBe(rows.length)
    expect(valuesOf(table)).toEqual(valuesOf(page.tables[0]!.rows))
    expect(tableToIPC(table, 'stream')).toEqual(tableToIPC(page.tables[0]!.rows, 'stream'))
    expect(Buffer.from(await stage.readRaw(found!))).toEqual(Buffer.from(page.rawBody))
    expect(await filesUnder(join(dir, 'tmp'))).toEqual([])
  })

  test('a page without tables', async () => {
    const written = await open().write({ ...pageOf([]), tables: [] })
    expect(await open().find(KEY)).toEqual(written)
  })

  test('files are for their owner only', async () => {
    const written = await open().write(pageOf(ROWS))
    for (const name of ['s0p1.json', written.raw.name, written.tables[0]!.name]) {
      expect((await stat(pagePath(name))).mode & 0o777).toBe(0o600)
    }
    expect((await stat(join(dir, 'pages'))).mode & 0o777).toBe(0o700)
  })

  test('what is not there is null', async () => {
    expect(await open().find(KEY)).toBeNull()
    expect(await open().findSlice(SLICE_ID, 0)).toBeNull()
  })

  test('a generation never meets the stage of another', async () => {
    await open().write(pageOf(ROWS))
    expect(await open().find({ ...KEY, generation: 1 })).toBeNull()
  })
})

describe('a slice of several pages', () => {
  const keys = [
    { step: 0, page: 1 },
    { step: 0, page: 2 },
    { step: 1, page: 1 },
  ]
  const writePage = async (i: number): Promise<StagedPage> =>
    open().write(pageOf(ROWS, { key: { ...KEY, ...keys[i]! }, next: keys[i + 1] ?? null }))

  test('is whole with its last page, whatever the order they came in', async () => {
    for (const i of [2, 0]) {
      await writePage(i)
      expect(await open().findSlice(SLICE_ID, 0)).toBeNull()
    }
    await writePage(1)
    const pages = await open().findSlice(SLICE_ID, 0)
    expect(pages?.map(({ key: { step, page } }) => ({ step, page }))).toEqual(keys)
  })
})

describe('damage is found, moved aside and fetched again', () => {
  const rawName = (page: StagedPage): string => page.raw.name
  const arrowName = (page: StagedPage): string => page.tables[0]!.name
  const recordName = (): string => 's0p1.json'
  const cutShort = async (path: string): Promise<void> =>
    truncate(path, Math.floor((await stat(path)).size / 2))
  const flipBit = async (path: string): Promise<void> => {
    const content = await readFile(path)
    const middle = Math.floor(content.length / 2)
    content[middle] = content[middle]! ^ 1
    await writeFile(path, content)
  }
  const overwrite =
    (text: string) =>
    (path: string): Promise<void> =>
      writeFile(path, text)

  const cases = [
    { what: 'raw cut short', name: rawName, harm: cutShort },
    { what: 'Arrow cut short', name: arrowName, harm: cutShort },
    { what: 'bit flipped in raw', name: rawName, harm: flipBit },
    { what: 'bit flipped in Arrow', name: arrowName, harm: flipBit },
    { what: 'bit flipped in the record', name: recordName, harm: flipBit },
    { what: 'raw missing', name: rawName, harm: (path: string) => rm(path) },
    { what: 'table missing', name: arrowName, harm: (path: string) => rm(path) },
    { what: 'record garbage', name: recordName, harm: overwrite('}{') },
    { what: 'record empty', name: recordName, harm: overwrite('') },
    { what: 'record null', name: recordName, harm: overwrite('null') },
    { what: 'record of the future', name: recordName, harm: overwrite('{"format":2,"page":{}}') },
  ]

  test.each(cases)('$what', async ({ name, harm }) => {
    const notes: string[] = []
    const writer = open()
    const written = await writer.write(pageOf(ROWS))
    await harm(pagePath(name(written)))
    const stage = open({ onDamaged: ({ reason, movedTo }) => notes.push(`${reason} ${movedTo}`) })
    expect(await stage.findSlice(SLICE_ID, 0)).toBeNull()
    expect(await stage.find(KEY)).toBeNull()
    expect(notes).toHaveLength(1)
    expect(await readdir(join(dir, 'damaged', `${SLICE_ID}-g0`))).not.toEqual([])
    expect(await filesUnder(join(dir, 'pages'))).toEqual([])
    // The writer trusted what it wrote; it must not trust what is there now.
    expect(await writer.find(KEY)).toBeNull()
    const again = await stage.write(pageOf(ROWS))
    expect(await stage.find(KEY)).toEqual(again)
  })

  test.each(cases.slice(2, 4))('$what after it was found whole', async ({ name, harm }) => {
    const stage = open()
    const page = await stage.write(pageOf(ROWS))
    expect(await stage.find(KEY)).not.toBeNull()
    await harm(pagePath(name(page)))
    const read =
      name === rawName ? () => stage.readRaw(page) : () => stage.readTable(page, SPEC.name)
    await expect(read).rejects.toThrow(/fails its checksum/)
    await expect(read).rejects.toMatchObject({ code: 'STAGE_DAMAGED', exitCode: 5 })
    expect(await stage.find(KEY)).toBeNull()
  })

  test('a record that was copied to another page is not believed', async () => {
    const stage = open()
    await stage.write(pageOf(ROWS))
    await writeFile(pagePath('s0p2.json'), await readFile(pagePath('s0p1.json')))
    expect(await stage.find({ ...KEY, page: 2 })).toBeNull()
    expect(await stage.find(KEY)).not.toBeNull()
  })
})

describe('two writers of one page', () => {
  test.each([{ bodies: ['same', 'same'] }, { bodies: ['one', 'other'] }])(
    'bodies $bodies: the page is whole, of one of them',
    async ({ bodies }) => {
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          bodies.map((body, i) =>
            open().write(pageOf(body === 'same' ? ROWS : ROWS.slice(0, i + 1), { body })),
          ),
        )
        const stage = open()
        const page = await stage.find(KEY)
        const body = Buffer.from(await stage.readRaw(page!)).toString()
        expect(bodies).toContain(body)
        const table = await stage.readTable(page!, SPEC.name)
        expect(table.numRows).toBe(body === 'same' ? ROWS.length : bodies.indexOf(body) + 1)
      }
    },
  )
})

describe('keys never become foreign paths', () => {
  test.each([
    { what: 'a path as slice id', key: { sliceId: '../../../../etc' } },
    { what: 'an id in capitals', key: { sliceId: SLICE_ID.toUpperCase() } },
    { what: 'a negative generation', key: { generation: -1 } },
    { what: 'a broken step', key: { step: 0.5 } },
    { what: 'page 0', key: { page: 0 } },
  ])('$what', async ({ key }) => {
    await expect(open().find({ ...KEY, ...key })).rejects.toThrow(RangeError)
    await expect(open().write(pageOf(ROWS, { key: { ...KEY, ...key } }))).rejects.toThrow(
      RangeError,
    )
    expect(await filesUnder(dir)).toEqual([])
  })

  test('a table name with a path in it', async () => {
    const page = pageOf(ROWS)
    const tables = [{ table: '../evil', rows: page.tables[0]!.rows }]
    await expect(open().write({ ...page, tables })).rejects.toThrow(RangeError)
  })
})

describe('a folder that cannot be written', () => {
  test('is one error with a hint', async () => {
    await writeFile(join(dir, 'file'), '')
    const stage = open({ dir: join(dir, 'file') })
    const error: unknown = await stage.write(pageOf(ROWS)).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StageError)
    expect(error).toMatchObject({ code: 'STAGE_NOT_WRITABLE', exitCode: 5 })
  })
})

describe('release and expire', () => {
  const requestedAtMs = pageOf([]).facts.requestedAtMs
  const notLoaded = async (): Promise<boolean> => false

  test('after the load the rows go and the raw body stays', async () => {
    const stage = open({ keep: 30 * DAY })
    const page = await stage.write(pageOf(ROWS))
    await stage.release(KEY.sliceId, KEY.generation)
    await stage.release(KEY.sliceId, KEY.generation)
    expect(await stage.find(KEY)).toBeNull()
    expect((await filesUnder(join(dir, 'pages'))).sort()).toEqual(
      [page.raw.name, 's0p1.loaded.json'].sort(),
    )
    expect(Buffer.from(await stage.readRaw(page))).toEqual(Buffer.from(pageOf(ROWS).rawBody))
    await expect(stage.readTable(page, SPEC.name)).rejects.toMatchObject({ code: 'STAGE_DAMAGED' })
    expect(await filesUnder(join(dir, 'pages'))).toHaveLength(2)
    expect(await stage.expire(requestedAtMs + 30 * DAY, notLoaded)).toBe(0)
    expect(await stage.expire(requestedAtMs + 30 * DAY + 1, notLoaded)).toBe(1)
    expect(await readdir(join(dir, 'pages'))).toEqual([])
  })

  test('keep: none leaves nothing, of this slice only', async () => {
    const stage = open({ keep: 'none' })
    const other = await stage.write(pageOf(ROWS, { key: { ...KEY, generation: 11 } }))
    await stage.write(pageOf(ROWS))
    await stage.write(pageOf(ROWS, { key: { ...KEY, page: 11 } }))
    await stage.release(KEY.sliceId, KEY.generation)
    expect(await stage.find(other.key)).toEqual(other)
    await stage.release(KEY.sliceId, 11)
    expect(await readdir(join(dir, 'pages'))).toEqual([])
  })

  test('keep: forever keeps what was loaded; a page nobody loaded goes after a month', async () => {
    const stage = open()
    await stage.write(pageOf(ROWS))
    await stage.release(KEY.sliceId, KEY.generation)
    await stage.write(pageOf(ROWS, { key: { ...KEY, page: 2 } }))
    expect(await stage.expire(requestedAtMs + 29 * DAY, notLoaded)).toBe(0)
    expect(await stage.expire(requestedAtMs + 31 * DAY, notLoaded)).toBe(1)
    expect((await filesUnder(join(dir, 'pages'))).every((name) => name.startsWith('s0p1.'))).toBe(
      true,
    )
  })

  test('a page that is loaded and was not released is released, and kept', async () => {
    const stage = open()
    const page = await stage.write(pageOf(ROWS))
    await stage.write(pageOf(ROWS, { key: { ...KEY, generation: 1 } }))
    const isLoaded = async (sliceId: string, generation: number): Promise<boolean> =>
      sliceId === KEY.sliceId && generation === KEY.generation
    expect(await stage.expire(requestedAtMs + 29 * DAY, isLoaded)).toBe(0)
    expect(await readdir(pagePath('.'))).toEqual([page.raw.name, 's0p1.loaded.json'].sort())
    expect(await stage.find({ ...KEY, generation: 1 })).not.toBeNull()
  })

  test('foreign files are never removed', async () => {
    const stage = open({ keep: 'none' })
    await stage.write(pageOf(ROWS))
    await writeFile(pagePath('notes.txt'), 'mine')
    await stage.release(KEY.sliceId, KEY.generation)
    await stage.expire(requestedAtMs + 365 * DAY, notLoaded)
    await stage.close()
    expect(await filesUnder(dir)).toEqual(['notes.txt'])
  })
})
