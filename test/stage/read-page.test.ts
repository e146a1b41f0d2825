import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { checkStagedAnswers } from '../../stage/check-staged-answers.ts'
import { copyAnswers } from '../../stage/copy-answers.ts'
import { expireStage } from '../../stage/expire-stage.ts'
import { keptSlices } from '../../stage/kept-slices.ts'
import { sha256 } from '../../stage/sha256.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { KEY, openSample, pageOf, ROWS, SLICE_ID, SPEC } from './staged-sample.ts'

const FOLDER = `pages/01/${SLICE_ID}-g0`
const BODY = 's0p1.abc.raw.zst'
const FILES = [BODY, 's0p1.abc.sample_rows.arrow', 's0p1.loaded.json']
let dir: string

/** The sample page as a coinlake of long ago wrote it: record, body and rows apart. */
beforeEach(() => {
  dir = join(tempDir(), 'stage')
  const { facts, rawBody } = pageOf(ROWS)
  const content = zstdCompressSync(rawBody)
  const raw = {
    name: BODY,
    sizeBytes: content.byteLength,
    sha256: sha256(content),
    uncompressedBytes: rawBody.byteLength,
  }
  const tables = [{ table: SPEC.name, rowCount: ROWS.length, name: FILES[1], sha256: 'x' }]
  const page = { ...facts, raw, tables }
  const record = { format: 1, sha256: sha256(JSON.stringify(page)), page }
  mkdirSync(join(dir, FOLDER), { recursive: true })
  writeFileSync(join(dir, FOLDER, BODY), content)
  writeFileSync(join(dir, FOLDER, FILES[1]!), 'rows')
  writeFileSync(join(dir, FOLDER, FILES[2]!), JSON.stringify(record))
  // A page whose name begins alike.
  writeFileSync(join(dir, FOLDER, 's0p11.json'), '{}')
})

async function faultsIn(place: string): Promise<(string | null)[]> {
  const faults: (string | null)[] = []
  for await (const { fault, key } of checkStagedAnswers(place))
    if (key.page === 1) faults.push(fault)
  return faults
}

test('an old page is found, read, listed, checked and copied', async () => {
  const stage = openSample(dir)
  const page = await stage.find(KEY)
  const { facts, rawBody } = pageOf(ROWS)
  expect(page).toMatchObject({
    ...facts,
    body: { encoding: 'zstd', sizeBytes: rawBody.byteLength },
    tables: [{ table: SPEC.name, rowCount: ROWS.length }],
  })
  expect(Buffer.from(await stage.readRaw(page!))).toEqual(Buffer.from(rawBody))
  expect((await stage.readTable(page!, SPEC.name)).numRows).toBe(ROWS.length)
  expect(await stage.findSlice(SLICE_ID, 0)).toEqual([page])
  const { slice, fetchedAtMs } = facts
  const kept = {
    sliceId: SLICE_ID,
    generation: 0,
    slice,
    fetchedAtMs,
    isWhole: true,
    isPlanned: false,
  }
  expect(await keptSlices(dir)).toEqual([kept])
  expect(await faultsIn(dir)).toEqual([null])
  const to = join(dir, '..', 'copy')
  expect(await copyAnswers(dir, to)).toMatchObject({ kept: 0, added: 3 })
  expect(await openSample(to).find(KEY)).toEqual(page)
})

test.each([
  ['the body is not there', () => rmSync(join(dir, FOLDER, BODY))],
  ['the body has 1 bytes instead of', () => writeFileSync(join(dir, FOLDER, BODY), 'x')],
  ['the facts are no JSON', () => writeFileSync(join(dir, FOLDER, FILES[2]!), '}{')],
])('"%s": all files of the page are moved aside, those of others stay', async (fault, harm) => {
  harm()
  expect(await faultsIn(dir)).toEqual([expect.stringContaining(fault)])
  const reasons: string[] = []
  const stage = openSample(dir, { onDamaged: ({ reason }) => reasons.push(reason) })
  expect(await stage.find(KEY)).toBeNull()
  expect(reasons).toEqual([expect.stringContaining(fault)])
  expect(readdirSync(join(dir, FOLDER))).toEqual(['s0p11.json'])
  expect(await stage.find(KEY)).toBeNull()
})

test('a body that is another of the same size fails its checksum', async () => {
  const page = await openSample(dir).find(KEY)
  writeFileSync(join(dir, FOLDER, BODY), Buffer.alloc(page!.body.keptBytes))
  expect(await faultsIn(dir)).toEqual(['the body fails its checksum'])
})

test('old pages that are kept no more go with all their files', async () => {
  const ledger = async () => new Map([[`${SLICE_ID}-g0`, 'loaded' as const]])
  await new Promise((resolve) => setTimeout(resolve, 5))
  await expireStage(sharedFiles(dir), { dir, keep: 'none' }, ledger)
  expect(readdirSync(join(dir, FOLDER))).toEqual([])
})
