import type { Table as ArrowTable } from 'apache-arrow'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../api/granularity.ts'
import { operationPath } from '../../api/operation-path.ts'
import { operations } from '../../api/operations.ts'
import type { Dataset, RequestStep, Slice } from '../../datasets/dataset.ts'
import { datasets, tableByName } from '../../datasets/index.ts'
import { generateMarket } from '../../service/market/generate-market.ts'
import { listingSlices, marketEntities } from '../../service/market/listing-batches.ts'
import { createMarket } from '../../service/market/market.ts'
import type { Market } from '../../service/market/market.ts'
import { SERIES_DATASETS } from '../../service/market/series-batches.ts'
import { serveMarket, tinySpec } from './tiny-market.ts'
import type { Ask } from './tiny-market.ts'

/** More tickers than a page holds; hours over more than one request. */
const SPEC = tinySpec({
  coins: 24,
  dailyDays: 120,
  hourlyDays: 92,
  exchanges: 2,
  tickersPerExchange: 130,
  historyDays: 3,
  moving: false,
})

type Rows = Map<string, string[]>

/** Rows of every table as texts, so that two warehouses can be compared. */
function addRows(to: Rows, table: string, rows: ArrowTable): void {
  const columns = tableByName(table)!.columns.map(({ name }) => rows.getChild(name)!)
  const texts = to.get(table) ?? []
  to.set(table, texts)
  for (let row = 0; row < rows.numRows; row++) {
    texts.push(JSON.stringify(columns.map((column) => exactText(column.get(row)))))
  }
}

function exactText(value: unknown): unknown {
  return typeof value === 'bigint' || Object.is(value, -0) ? `${String(value)}!` : value
}

/** Series over their whole reach, in slices as long as the dataset allows. */
function seriesSlices(dataset: Dataset, market: Market): Slice[] {
  const { nowMs, dailyDays } = SPEC
  const windows = dataset.granularities.flatMap((granularity) => {
    const startMs = nowMs - (dataset.reachMs(granularity) ?? dailyDays * DAY_MS)
    const lengthMs = dataset.maxSliceMs(granularity)
    const count = Math.ceil((nowMs - startMs) / lengthMs)
    return Array.from({ length: Math.max(1, count) }, (_, place) => {
      const fromMs = count <= 1 ? startMs : startMs + place * lengthMs
      return { granularity, fromMs, toMs: Math.min(fromMs + lengthMs, nowMs) }
    })
  })
  return marketEntities(dataset, market).flatMap((entity) =>
    windows.map((window) => ({ dataset: dataset.name, entity, vsCurrency: 'usd', ...window })),
  )
}

function slicesOf(dataset: Dataset, market: Market): Slice[] {
  const isSeries = SERIES_DATASETS.has(dataset.name)
  return isSeries ? seriesSlices(dataset, market) : listingSlices(dataset, market)
}

async function exportSlice(to: Rows, dataset: Dataset, slice: Slice, ask: Ask): Promise<void> {
  const { nowMs } = SPEC
  const steps = dataset.steps(slice, { nowMs, attempt: 1, maxHistoryDays: null })
  for (const [stepIndex, step] of steps.entries()) {
    let itemsBefore = 0
    for (let page = 1, more = true; more; page++) {
      const { status, body } = await ask(pathOf(step, page))
      expect(status, pathOf(step, page)).toBe(200)
      const at = { stepIndex, page, itemsBefore, observedAtMs: nowMs, nowMs }
      const context = { slice, step, ...at }
      const { tables, itemCount, rejected, unknownPaths } = dataset.toTables(body, context)
      expect([rejected, unknownPaths]).toEqual([[], {}])
      for (const { table, rows } of tables) addRows(to, table, rows)
      itemsBefore += itemCount
      more = step.paging === 'until_short' && itemCount === step.perPage
    }
  }
}

function pathOf(step: RequestStep, page: number): string {
  const params = step.paging === 'single' ? step.params : { ...step.params, page: String(page) }
  return operationPath(operations[step.operation], params)
}

test('what is read back from the served market is the market, row for row', async () => {
  const held: Rows = new Map()
  for (const { table, rows } of generateMarket(SPEC)) addRows(held, table, rows)
  // Two exchanges of two pages each.
  expect(held.get('exchange_tickers')?.length).toBe(2 * SPEC.tickersPerExchange)
  const { ask, close } = await serveMarket(SPEC)
  const read: Rows = new Map()
  const market = createMarket(SPEC)
  for (const dataset of datasets) {
    for (const slice of slicesOf(dataset, market)) await exportSlice(read, dataset, slice, ask)
  }
  await close()
  expect([...held.keys()].sort()).toEqual([...read.keys()].sort())
  for (const [table, rows] of held) {
    expect(rows.length, table).toBeGreaterThan(0)
    const again = new Set(read.get(table))
    expect(read.get(table)!.length, table).toBe(rows.length)
    expect(rows.filter((row) => !again.has(row)).slice(0, 3), table).toEqual([])
  }
})
