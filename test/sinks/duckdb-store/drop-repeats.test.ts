import { expect, onTestFinished, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { coinTickers } from '../../../datasets/coin-tickers.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { pageOf, sliceOf } from '../../datasets/context.ts'
import { wholeTicker } from '../../datasets/whole-body.ts'
import { storeHarness } from './store-harness.ts'
import { tempFolder } from './temp-folder.ts'
import { LATE_MS, START_MS } from './test-dataset.ts'

const folder = tempFolder()
const SLICE = sliceOf(coinTickers, { entity: 'bitcoin' }, LATE_MS)
const PER_PAGE = 100

test.each([{}, { total: PER_PAGE }, { total: '\uD800', odd: [] }])(
  'an item on two pages of a listing is there once, whatever stands beside the list: %j',
  async (envelope) => {
    const facts = {
      datasets: [coinTickers],
      coinlakeVersion: '1.2.3',
      clock: frozenClock(START_MS),
    }
    const store = await openStore({ file: folder.path(JSON.stringify(envelope)), ...facts })
    onTestFinished(() => store.close())
    const { stage, plan, loadAll, table } = storeHarness(store, coinTickers.tables)
    const runId = await plan(SLICE)
    const tickers = Array.from({ length: PER_PAGE }, (_, last) => ({ ...wholeTicker(), last }))
    // The last item of page 1 is the first of page 2, which has an own item behind it.
    const second = [tickers.at(-1), { ...wholeTicker(), last: PER_PAGE }]
    for (const [before, items] of [tickers, second].entries()) {
      const body = { name: 'Bitcoin', ...envelope, tickers: items }
      const context = pageOf(coinTickers, SLICE, { page: before + 1, observedAtMs: LATE_MS })
      stage.put({ slice: SLICE, made: coinTickers.toTables(body, context).tables[0]! })
    }
    expect(await loadAll(runId)).toMatchObject({ rowsInserted: PER_PAGE + 1, rowsDuplicate: 1 })
    expect(
      await table('SELECT count(*), count(DISTINCT last), max(ordinal) FROM coin_tickers'),
    ).toEqual([[PER_PAGE + 1, PER_PAGE + 1, PER_PAGE + 1]])
    expect(await table('SELECT moved FROM _slices')).toEqual([[1]])
  },
)
