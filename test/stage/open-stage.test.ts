import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Table, tableToIPC } from 'apache-arrow'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Stage, StageOptions } from '../../stage/open-stage.ts'
import type { StagedPage } from '../../stage/page-stage.ts'
import { StageError } from '../../stage/stage-error.ts'
import { KEY, openSample, ROWS, SLICE_ID, SPEC, pageOf } from './staged-sample.ts'
import { filesUnder } from '../parts/files-under.ts'
import { tempDir } from '../parts/temp-dir.ts'

const PAGE = `${SLICE_ID}-g0-s0p1.page`
let dir: string
beforeEach(() => {
  dir = tempDir()
})
function open(options: Partial<StageOptions> = {}): Stage {
  return openSample(options.dir ?? dir, options)
}

function pagePath(name = PAGE): string {
  return join(dir, 'pages', SLICE_ID.slice(0, 2), name)
}

function valuesOf(table: Table): unknown[] {
  return table.toArray().map((row: { toJSON(): unknown }) => row.toJSON())
}

test('a page is found by a key that has more fields than a key needs', async () => {
  const written = await open().write(pageOf(ROWS))
  const longer = { ...KEY, dataset: 'market_chart' }
  expect(await open().find(longer)).toEqual(written)
  expect(filesUnder(dir)).toEqual([relative(dir, pagePath())])
})

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
    const tables = [{ table: SPEC.name, rowCount: rows.length }]
    expect(found).toMatchObject({ ...page.facts, tables })
    const table = await stage.readTable(found!, SPEC.name)
    expect(table.numRows).toBe(rows.length)
    expect(valuesOf(table)).toEqual(valuesOf(page.tables[0]!.rows))
    const [ipc, keptIpc] = [table, page.tables[0]!.rows].map((one) => tableToIPC(one, 'stream'))
    expect(Buffer.compare(ipc!, keptIpc!)).toBe(0)
    expect(Buffer.from(await stage.readRaw(found!))).toEqual(Buffer.from(page.rawBody))
    expect(filesUnder(dir)).toEqual([relative(dir, pagePath())])
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('a body that came in %s is kept as it came', async (encoding, pack) => {
    const { rawBody, ...page } = pageOf(ROWS)
    const encoded = { encoding, bytes: pack(rawBody) }
    await open().write({ ...page, rawBody, encoded })
    expect((await readFile(pagePath())).subarray(-encoded.bytes.byteLength)).toEqual(encoded.bytes)
    const found = await open().find(KEY)
    expect(found?.body).toMatchObject({ encoding, sizeBytes: rawBody.byteLength })
    expect(Buffer.from(await open().readRaw(found!))).toEqual(Buffer.from(rawBody))
  })

  test('a large body comes back, too', async () => {
    const page = { ...pageOf([]), tables: [], rawBody: Buffer.alloc(3 * 1024 * 1024, 'x') }
    const written = await open().write(page)
    expect(await open().findSlice(SLICE_ID, 0)).toEqual([written])
    expect(Buffer.compare(await open().readRaw(written), page.rawBody)).toBe(0)
  })

  test('files are for their owner only', async () => {
    await open().write(pageOf(ROWS))
    expect((await stat(pagePath())).mode & 0o777).toBe(0o600)
    expect((await stat(join(dir, 'pages'))).mode & 0o777).toBe(0o700)
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
  const cutShort = async (path: string): Promise<void> =>
    truncate(path, Math.floor((await stat(path)).size / 2))
  const flipAt =
    (place: (content: Buffer) => number) =>
    async (path: string): Promise<void> => {
      const content = await readFile(path)
      const at = place(content)
      content[at] = content[at]! ^ 1
      await writeFile(path, content)
    }
  const flipBody = flipAt((content) => content.byteLength - 20)
  const overwrite =
    (text: string) =>
    (path: string): Promise<void> =>
      writeFile(path, text)

  test.each([
    { what: 'cut short', harm: cutShort, why: /^the facts are no JSON/ },
    { what: 'a byte more', harm: (path: string) => appendFile(path, 'x'), why: /^the body has/ },
    { what: 'bit flipped in the body', harm: flipBody, why: /^the body fails its checksum/ },
    {
      what: 'bit flipped in the facts',
      harm: flipAt((content) => content.indexOf('"calls"') + 8),
      why: /^the facts fail their checksum/,
    },
    { what: 'garbage', harm: overwrite('}{'), why: /^the facts are no JSON/ },
    { what: 'empty', harm: overwrite(''), why: /^the facts are no JSON/ },
    { what: 'null', harm: overwrite('null\n'), why: /not of format 2/ },
    { what: 'of the future', harm: overwrite('{"format":3,"page":{}}\n'), why: /not of format 2/ },
    { what: 'without facts', harm: overwrite('{"format":2}\n'), why: /not of format 2/ },
  ])('$what', async ({ harm, why }) => {
    const notes: string[] = []
    await open().write(pageOf(ROWS))
    await harm(pagePath())
    const stage = open({ onDamaged: ({ reason, movedTo }) => notes.push(`${reason} ${movedTo}`) })
    const archive = open({ isArchive: true })
    expect([await archive.find(KEY), await archive.findSlice(SLICE_ID, 0)]).toEqual([null, null])
    expect(await stage.findSlice(SLICE_ID, 0)).toBeNull()
    expect(await stage.find(KEY)).toBeNull()
    expect(notes).toEqual([expect.stringMatching(why)])
    expect(notes[0]?.endsWith(` ${dir}/damaged/${SLICE_ID}-g0`)).toBe(true)
    expect(await readdir(join(dir, 'damaged', `${SLICE_ID}-g0`))).toEqual([PAGE])
    expect(filesUnder(join(dir, 'pages'))).toEqual([])
    const again = await stage.write(pageOf(ROWS))
    expect(await open().find(KEY)).toEqual(again)
  })

  test('a body that is damaged after it was found whole', async () => {
    const page = await open().write(pageOf(ROWS))
    for (const read of [
      (stage: Stage) => stage.readRaw(page),
      (stage: Stage) => stage.readTable(page, SPEC.name),
    ]) {
      await open().write(pageOf(ROWS))
      const moved: unknown[] = []
      const stage = open({ onDamaged: (note) => moved.push(note) })
      expect(await stage.find(KEY)).not.toBeNull()
      await flipBody(pagePath())
      await expect(read(stage)).rejects.toMatchObject({ code: 'STAGE_DAMAGED', exitCode: 5 })
      expect(moved).toHaveLength(1)
      expect(await stage.find(KEY)).toBeNull()
    }
  })

  test('an answer of which nothing can be made today is moved aside, and fetched anew', async () => {
    await open().write(pageOf(ROWS))
    const reasons: string[] = []
    const stage = open({
      remake: () => {
        throw new StageError('no dataset of today', { code: 'REPLAY_UNKNOWN', hint: '' })
      },
      onDamaged: ({ reason }) => reasons.push(reason),
    })
    expect(await stage.findSlice(SLICE_ID, 0)).toBeNull()
    expect(reasons).toEqual(['no dataset of today'])
    expect(await stage.find(KEY)).toBeNull()
  })

  test('a bug in the rules of today moves no answer aside', async () => {
    const written = await open().write(pageOf(ROWS))
    const remake = () => {
      throw new TypeError('a bug')
    }
    await expect(open({ remake }).findSlice(SLICE_ID, 0)).rejects.toThrow('a bug')
    expect(await open().find(KEY)).toEqual(written)
  })

  test('a page that was copied to another is not believed', async () => {
    const stage = open()
    await stage.write(pageOf(ROWS))
    await writeFile(pagePath(PAGE.replace('p1', 'p2')), await readFile(pagePath()))
    expect(await stage.find({ ...KEY, page: 2 })).toBeNull()
    expect(await stage.find(KEY)).not.toBeNull()
  })
})

describe('two writers of one page', () => {
  test.each([{ bodies: ['same', 'same'] }, { bodies: ['one', 'other'] }])(
    'bodies $bodies: the page is whole, of one of them',
    async ({ bodies }) => {
      for (let round = 0; round < 10; round++) {
        const counts = bodies.map((body, i) => (body === 'same' ? ROWS.length : i + 1))
        await Promise.all(counts.map((count) => open().write(pageOf(ROWS.slice(0, count)))))
        const stage = open()
        const page = await stage.find(KEY)
        expect(counts).toContain(page?.itemCount)
        expect((await stage.readTable(page!, SPEC.name)).numRows).toBe(page?.itemCount)
      }
    },
  )
})

describe('keys never become foreign paths', () => {
  test.each([
    { key: { sliceId: '../../../../etc' }, says: 'not a slice id: "../../../../etc"' },
    { key: { sliceId: SLICE_ID.toUpperCase() }, says: 'not a slice id: "0123456789ABCDEF0123"' },
  ])('$says', async ({ key, says }) => {
    const error = new RangeError(says)
    await expect(open().find({ ...KEY, ...key })).rejects.toThrow(error)
    await expect(open().write(pageOf(ROWS, { key: { ...KEY, ...key } }))).rejects.toThrow(error)
    expect(filesUnder(dir)).toEqual([])
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

describe('rows', () => {
  test('the process that wrote a page reads them from memory until their load', async () => {
    let made = 0
    const page = pageOf(ROWS)
    const remake: StageOptions['remake'] = (staged) => {
      made += 1
      return { page: staged, tables: page.tables }
    }
    const stage = open({ remake })
    const written = await stage.write(page)
    expect(await stage.findSlice(SLICE_ID, 0)).toEqual([written])
    expect(await stage.readTable(written, SPEC.name)).toBe(page.tables[0]!.rows)
    expect(made).toBe(0)
    await stage.release([written])
    for (let again = 0; again < 2; again += 1) {
      expect(await stage.readTable(written, SPEC.name)).toBe(page.tables[0]!.rows)
    }
    expect(made).toBe(1)
    await expect(stage.readTable(written, 'other')).rejects.toThrow(RangeError)
  })

  test('rows in memory need no body on the disk', async () => {
    const stage = open()
    const written = await stage.write(pageOf(ROWS))
    await truncate(pagePath(), (await stat(pagePath())).size - 1)
    expect(await stage.find(KEY)).toEqual(written)
    expect(await stage.findSlice(SLICE_ID, 0)).toEqual([written])
  })

  test('a page of two tables gives each its rows', async () => {
    const stage = open()
    const { tables, ...page } = pageOf(ROWS)
    const two = [...tables, { table: 'second', rows: tables[0]!.rows.slice(1) }]
    const written = await stage.write({ ...page, tables: two })
    for (const { table, rows } of two) expect(await stage.readTable(written, table)).toBe(rows)
  })

  test('the rows of an answer never meet the file of another that was written since', async () => {
    const stage = open()
    const before = await stage.write(pageOf(ROWS))
    const other = await open().write(pageOf(ROWS.slice(0, 1)))
    expect(await stage.find(KEY)).toEqual(other)
    expect((await stage.readTable(other, SPEC.name)).numRows).toBe(1)
    await stage.release([before])
    await expect(stage.readTable(before, SPEC.name)).rejects.toMatchObject({
      code: 'STAGE_DAMAGED',
    })
    expect(await open().find(KEY)).toEqual(other)
    await rm(pagePath())
    await expect(open().readRaw(other)).rejects.toMatchObject({ code: 'STAGE_DAMAGED' })
  })
})

test('the file stays as it is, or goes where none are kept, of this page only', async () => {
  const kept = await open().write(pageOf(ROWS))
  await open().release([kept])
  expect(await open().find(KEY)).toEqual(kept)
  const other = await open().write(pageOf(ROWS, { key: { ...KEY, generation: 11 } }))
  await open({ keep: 'none', isArchive: true }).release([kept])
  expect(await open().find(KEY)).toEqual(kept)
  await open({ keep: 'none' }).release([kept])
  expect(await open().find(KEY)).toBeNull()
  expect(await open().find(other.key)).toEqual(other)
})
