import { beforeEach, expect, test } from 'vitest'
import { readOrder, writeOrder } from '../../activities/plan/order-file.ts'
import { collectLostRequests, noteLostRequest } from '../../activities/fetch/lost-requests.ts'
import type { LostRequest } from '../../sinks/store-records.ts'
import { expireStage, type KnownState } from '../../stage/expire-stage.ts'
import type { Stage, StageOptions } from '../../stage/open-stage.ts'
import { type ObjectFiles, s3Files } from '../../stage/s3-files.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import { KEY, openSample, pageOf, ROWS, SLICE_ID, SPEC } from '../stage/staged-sample.ts'
import { s3OfFile } from './parts/minio.ts'

const PAGE = `pages/${SLICE_ID.slice(0, 2)}/${SLICE_ID}-g0-s0p1.page`

const s3 = await s3OfFile()
let places = 0
let place: string
let files: ObjectFiles
beforeEach(() => {
  place = `s3://${s3.bucket}/stage-${places++}`
  files = s3Files(place)
})

function open(options: Partial<StageOptions> = {}): Stage {
  return openSample(place, options)
}

async function names(): Promise<string[]> {
  return (await files.list('')).map(({ name }) => name)
}

test('a page comes back as it was written, to whoever asks', async () => {
  const page = pageOf(ROWS)
  const written = await open().write(page)
  const stage = open()
  const found = await stage.find(KEY)
  expect(found).toEqual(written)
  expect(await stage.findSlice(SLICE_ID, 0)).toEqual([written])
  const table = await stage.readTable(found!, SPEC.name)
  expect(table.toArray().map(String)).toEqual(page.tables[0]!.rows.toArray().map(String))
  expect(Buffer.from(await stage.readRaw(found!))).toEqual(Buffer.from(page.rawBody))
  expect(await stage.find({ ...KEY, page: 2 })).toBeNull()
})

test('what is damaged is told, set aside and absent from then on', async () => {
  const written = await open().write(pageOf(ROWS))
  const content = await files.read(PAGE)
  content![content!.byteLength - 20]! ^= 1
  await files.write(PAGE, content!)
  const notes: unknown[] = []
  const stage = open({ onDamaged: ({ movedTo }) => notes.push(movedTo) })
  await expect(stage.readTable(written, SPEC.name)).rejects.toMatchObject({
    code: 'STAGE_DAMAGED',
    message: expect.stringContaining(`${place}/${PAGE}`),
  })
  expect(notes).toEqual([`${place}/damaged/${SLICE_ID}-g0`])
  expect(await names()).toEqual([`damaged/${SLICE_ID}-g0/${SLICE_ID}-g0-s0p1.page`])
  expect(await stage.find(KEY)).toBeNull()
})

test.each(['forever', 'none'] as const)('after the load, kept %s', async (keep) => {
  const written = await open().write(pageOf(ROWS))
  await open({ keep }).release([written])
  expect(await names()).toEqual(keep === 'none' ? [] : [PAGE])
})

test('an answer outlives its time when the ledger has it loaded', async () => {
  await open().write(pageOf(ROWS))
  // Times of objects are whole seconds.
  const stage = open({ keep: -1_000 })
  const ledger = (state: KnownState) => async () => new Map([[`${SLICE_ID}-g0`, state]])
  await expireStage(sharedFiles(place), { dir: place, keep: -1_000 }, ledger('planned'))
  expect(await names()).toEqual([PAGE])
  await stage.expireDaily(ledger('planned'))
  await stage.expireDaily(ledger('loaded'))
  expect(await names()).toEqual(['expiry/last.json', PAGE])
  await expireStage(sharedFiles(place), { dir: place, keep: -1_000 }, ledger('loaded'))
  expect(await names()).toEqual(['expiry/last.json'])
})

test('orders and lost requests lie there, too', async () => {
  const order = { wanted: [] }
  const id = await writeOrder(`${place}/orders`, order)
  expect(await readOrder(`${place}/orders`, id)).toEqual(order)
  const absent = '0'.repeat(20)
  await expect(readOrder(`${place}/orders`, absent)).rejects.toMatchObject({ code: 'ORDER_LOST' })
  expect(await names()).toEqual([`orders/${id}.json`])
  const lost = { requestId: 'r1', sliceId: SLICE_ID } as LostRequest
  await noteLostRequest(place, lost)
  const seen: LostRequest[] = []
  const collect = () =>
    collectLostRequests(place, async (requests) => {
      seen.push(...requests)
    })
  await collect()
  await collect()
  expect(seen).toEqual([lost])
})

test('credentials that are refused in the middle of a page: told, and the page is not there', async () => {
  await s3.kill()
  await s3.start('another-secret-of-the-test')
  const refused = open().write(pageOf(ROWS))
  await expect(refused).rejects.toMatchObject({
    code: 'STAGE_S3_DENIED',
    exitCode: 5,
    retryable: true,
    message: expect.stringContaining(`${place}/${PAGE}`),
  })
  await refused.catch((error: unknown) =>
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(
      s3.env['AWS_SECRET_ACCESS_KEY'],
    ),
  )
  await s3.kill()
  await expect(open().find(KEY)).rejects.toMatchObject({ code: 'STAGE_S3_UNREACHABLE' })
  await s3.start()
  expect(await open().find(KEY)).toBeNull()
  const written = await open().write(pageOf(ROWS))
  expect(await open().find(KEY)).toEqual(written)
})

test('a bucket that is not there', async () => {
  await expect(
    openSample('s3://nobody-made-this/stage', { keep: 'none' }).find(KEY),
  ).rejects.toMatchObject({ code: 'STAGE_S3_NO_BUCKET' })
})
