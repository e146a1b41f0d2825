import { expect } from 'vitest'
import type { Slice, TableSpec } from '../../../datasets/dataset.ts'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'
import { hours, memoryStage, type TestPage, ticksRows } from './memory-stage.ts'
import { HOUR_MS, LATE_MS, START_MS, TABLES, ticksSlice } from './test-dataset.ts'

/** A store under test; `reopen` closes it and opens the same data again. */
export interface StoreUnderTest {
  store: Store
  reopen: () => Promise<Store>
  dispose: () => Promise<void>
}

export type StoreHarness = ReturnType<typeof storeHarness>

/** @param tables of its rows */
export function storeHarness(store: Store, tables: readonly TableSpec[] = TABLES) {
  const stage = memoryStage(tables)
  let runs = 0

  /** Plans the slices as a new run and returns its id. */
  async function plan(...slices: Slice[]): Promise<string> {
    runs += 1
    const runId = `run-${runs}`
    const run = { runId, orderId: 'order', startedAtMs: START_MS, coinlakeVersion: '1.2.3' }
    expect(await store.writePlan(run, slices)).toBe(slices.length)
    return runId
  }

  /** Loads everything a run has planned. */
  async function loadAll(runId: string, nowMs = LATE_MS) {
    const [row] = await store.query(
      `SELECT count(*) AS slices FROM _slices WHERE run_id = '${runId}'`,
    )
    const ordinals = Array.from({ length: Number(row?.['slices']) }, (_, ordinal) => ordinal)
    return await store.load({ runId, ordinals, nowMs }, stage)
  }

  /** Plans one slice, stages one page for it and loads it. */
  async function loadOne(page: Omit<TestPage, 'generation'>) {
    const runId = await plan(page.slice)
    const [planned] = await store.nextSlices({ runId, after: -1, limit: 1 })
    stage.put({ ...page, generation: planned?.generation ?? 0 })
    return await loadAll(runId)
  }

  /** The same of ticks from an hour to another, with all of them unless told otherwise. */
  const loadTicks = (from: number, to: number, more: Partial<TestPage> = {}) =>
    loadOne({ slice: ticksSlice(from, to), columns: ticksRows(hours(from, to)), ...more })

  /** The rows of `ticks` as `hour=price`, with ~ for provisional ones. */
  async function ticks(): Promise<string[]> {
    const rows = await store.query(
      `SELECT coin_id, (epoch_ms(ts) - ${START_MS}) // ${HOUR_MS} AS hour, price, is_provisional
       FROM ticks ORDER BY coin_id, ts`,
    )
    return rows.map(
      (row) => `${row['hour']}=${row['price']}${row['is_provisional'] === true ? '~' : ''}`,
    )
  }

  async function states(): Promise<string[]> {
    const rows = await store.query('SELECT state FROM _slices ORDER BY run_id, ordinal')
    return rows.map((row) => String(row['state']))
  }

  /** Rows of a query as lists of values. */
  async function table(sql: string): Promise<unknown[]> {
    return (await store.query(sql)).map((row) => Object.values(row))
  }

  return { store, stage, plan, loadAll, loadOne, loadTicks, ticks, states, table }
}
