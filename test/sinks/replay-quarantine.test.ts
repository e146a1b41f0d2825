import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { frozenClock } from '../../config/clock.ts'
import { tableFromColumns } from '../../datasets/arrow/arrow-columns.ts'
import type { Dataset, Slice } from '../../datasets/dataset.ts'
import { openStore, type Store } from '../../sinks/duckdb-store/open-store.ts'
import { remakePages } from '../../sinks/replay/remake-page.ts'
import { sliceId } from '../../plan/planned-slice.ts'
import { openStage, type Stage } from '../../stage/open-stage.ts'
import { hours, ticksRows } from './duckdb-store/memory-stage.ts'
import { tempFolder } from './duckdb-store/temp-folder.ts'
import { DATASETS, LATE_MS, START_MS, TABLES, ticksSlice } from './duckdb-store/test-dataset.ts'

const folder = tempFolder()
const [base] = DATASETS as [Dataset]
const [spec] = TABLES
const SLICE = ticksSlice(0, 6)
/** Prices by hour; two of them are no numbers to a strict reader, one to nobody. */
const BODY = [0.1, '1.1', 2.1, '3.1', 'four', 5.1]

/** Ticks whose body is a list of prices; `isNumber` is the rule that a later version changes. */
function ticks(isNumber: (price: unknown) => boolean): Dataset {
  return {
    ...base,
    operations: ['coins/{id}/market_chart/range'],
    steps: () => [
      { operation: 'coins/{id}/market_chart/range', params: {}, paging: 'single', perPage: 0 },
    ],
    toTables(body) {
      const prices = body as unknown[]
      const good = hours(0, prices.length).filter((hour) => isNumber(prices[hour]))
      const { values, rowCount } = ticksRows(good, (hour) => Number(prices[hour]))
      return {
        tables: [{ table: 'ticks', rows: tableFromColumns(spec!, values, rowCount) }],
        counts: { outsideSlice: 0, duplicate: 0, future: 0 },
        rejected: hours(0, prices.length)
          .filter((hour) => !good.includes(hour))
          .map((hour) => ({
            rule: 'not_a_number',
            path: `$[${hour}]`,
            raw: JSON.stringify(prices[hour]),
          })),
        unknownPaths: {},
        itemCount: prices.length,
        deliveredGranularity: '1h',
      }
    },
  }
}

const strict = ticks((price) => typeof price === 'number')
const lenient = ticks((price) => Number.isFinite(Number(price)))

let store: Store

function stageWith(dataset: Dataset): Stage {
  const remake = remakePages({ datasets: [dataset], maxHistoryDays: null })
  return openStage({ dir: folder.path('stage'), keep: 'forever', remake })
}

beforeEach(async () => {
  const datasets = [strict, ...DATASETS.slice(1)]
  store = await openStore({
    file: folder.path('store.duckdb'),
    datasets,
    coinlakeVersion: '1.2.3',
    clock: frozenClock(START_MS),
  })
  await land('run', SLICE)
})

/** Loads the answer BODY of a slice, in a run of its own. */
async function land(runId: string, slice: Slice): Promise<void> {
  const stage = stageWith(strict)
  const { tables, ...facts } = strict.toTables(BODY, {} as never)
  await stage.write({
    facts: {
      ...facts,
      itemsSoFar: facts.itemCount,
      key: { sliceId: sliceId(slice), generation: 0, step: 0, page: 1 },
      slice,
      operation: 'coins/{id}/market_chart/range',
      url: 'http://127.0.0.1/v2/ticks',
      status: 200,
      requestedAtMs: LATE_MS,
      fetchedAtMs: LATE_MS,
      durationMs: 1,
      calls: 1,
      observedAtMs: LATE_MS,
      next: null,
    },
    rawBody: new TextEncoder().encode(JSON.stringify(BODY)),
    tables,
  })
  const run = { runId, orderId: 'order', startedAtMs: START_MS, coinlakeVersion: '1.2.3' }
  await store.writePlan(run, [slice])
  await store.load({ runId, ordinals: [0], nowMs: LATE_MS }, stage)
}

afterEach(() => store.close())

async function replay(dataset: Dataset) {
  const open = await store.query('SELECT quarantine_id FROM _quarantine ORDER BY path')
  const ids = open.map((row) => String(row['quarantine_id']))
  return { ids, report: await store.replayQuarantine(ids, stageWith(dataset)) }
}

async function prices(): Promise<unknown[]> {
  return (await store.query('SELECT price FROM ticks ORDER BY ts')).map((row) => row['price'])
}

test('the same rules reject the same rows, and nothing changes', async () => {
  expect(await prices()).toEqual([0.1, 2.1, 5.1])
  const { ids, report } = await replay(strict)
  expect(report).toEqual({ replayed: [], rejected: ids, unreadable: [], rows: 0 })
  expect(await prices()).toEqual([0.1, 2.1, 5.1])
})

test('after a fix of the rule exactly the rows that pass are loaded, once', async () => {
  const { ids, report } = await replay(lenient)
  expect(ids).toHaveLength(3)
  expect(report).toEqual({
    replayed: ids.slice(0, 2),
    rejected: ids.slice(2),
    unreadable: [],
    rows: 2,
  })
  expect(await prices()).toEqual([0.1, 1.1, 2.1, 3.1, 5.1])
  const [slice] = await store.query('SELECT row_count, quarantined FROM _slices')
  expect(slice).toEqual({ row_count: 5, quarantined: 1 })
  expect((await replay(lenient)).report).toMatchObject({ replayed: [], rows: 0 })
})

test('a stretch that a later answer spoke of is left to that answer', async () => {
  const later = { ...ticksSlice(2, 8) }
  const run = { runId: 'later', orderId: 'order', startedAtMs: START_MS, coinlakeVersion: '1.2.3' }
  await store.writePlan(run, [later])
  const connection = await store.connect()
  await connection.run(
    `UPDATE _slices SET state = 'loaded', fetched_at = make_timestamptz(${(LATE_MS + 1) * 1000})
     WHERE run_id = 'later'`,
  )
  connection.closeSync()
  expect((await replay(lenient)).report.rows).toBe(1)
  expect(await prices()).toEqual([0.1, 1.1, 2.1, 5.1])
})

test('rows whose answer is gone are unreadable, and those of other answers are replayed', async () => {
  const gone = ticksSlice(0, 6, 'gone')
  await land('second', gone)
  const [page] = await readdir(folder.path('stage/pages'), {
    recursive: true,
    withFileTypes: true,
  }).then((found) => found.filter(({ name }) => name.startsWith(sliceId(gone))))
  await rm(join(page!.parentPath, page!.name))
  const { ids, report } = await replay(lenient)
  const [lost, kept] = [true, false].map((isGone) =>
    ids.filter((id) => id.startsWith(sliceId(gone)) === isGone),
  )
  expect(lost).toHaveLength(3)
  expect({ ...report, unreadable: new Set(report.unreadable) }).toEqual({
    replayed: kept!.slice(0, 2),
    rejected: kept!.slice(2),
    unreadable: new Set(lost),
    rows: 2,
  })
})
