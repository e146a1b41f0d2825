import type { Table as ArrowTable } from 'apache-arrow'
import { tableFromColumns } from '../../../datasets/arrow/arrow-columns.ts'
import type { ColumnsByName } from '../../../datasets/arrow/column-data.ts'
import type { Granularity, RejectedRow, Slice, TableSpec } from '../../../datasets/dataset.ts'
import { sliceId } from '../../../plan/planned-slice.ts'
import { StageError } from '../../../stage/stage-error.ts'
import type { PageStage, StagedPage } from '../../../stage/page-stage.ts'
import { HOUR_MS, LATE_MS, START_MS, TABLES } from './test-dataset.ts'

export interface TestPage {
  slice: Slice
  generation?: number
  /** Default: long after its slice. */
  fetchedAtMs?: number
  /** Rows by table; none = an empty answer. */
  columns?: { table: string; values: ColumnsByName; rowCount: number }
  /** The same, as a dataset makes them of a body. */
  made?: { table: string; rows: ArrowTable }
  rejected?: RejectedRow[]
  counts?: StagedPage['counts']
  gaps?: StagedPage['gaps']
  unknownPaths?: Record<string, number>
  calls?: number
  itemCount?: number
  toldItems?: number
}

/** A page stage in memory that holds what it is given. */
interface MemoryStage extends PageStage {
  put(page: TestPage): void
  /** Reading the slice's rows fails from now on, as after a flipped bit. */
  damage(slice: Slice): void
  /** Lets go of a slice's pages. */
  drop(slice: Slice): void
}

/** @param tables of its rows */
export function memoryStage(tables: readonly TableSpec[] = TABLES): MemoryStage {
  const slices = new Map<string, StagedPage[]>()
  const rows = new Map<string, ArrowTable>()
  const damaged = new Set<string>()
  const unused = (): never => {
    throw new Error('the store never asks for this')
  }
  const stage: MemoryStage = {
    put(page) {
      const id = sliceId(page.slice)
      const name = `${id}-${page.generation ?? 0}`
      const pages = slices.get(name) ?? []
      pages.push(stagedPage(page, pages.length + 1))
      slices.set(name, pages)
      const last = pages.at(-2)
      if (last !== undefined) last.next = { step: 0, page: pages.length }
      const { made } = page
      if (made !== undefined) rows.set(`${name}-${pages.length}-${made.table}`, made.rows)
      if (page.columns === undefined) return
      const spec = tables.find(({ name: tableName }) => tableName === page.columns?.table)
      if (spec === undefined) return
      const { values, rowCount } = page.columns
      rows.set(`${name}-${pages.length}-${spec.name}`, tableFromColumns(spec, values, rowCount))
    },
    damage(slice) {
      damaged.add(sliceId(slice))
    },
    drop(slice) {
      slices.delete(`${sliceId(slice)}-0`)
    },
    async findSlice(id, generation) {
      return slices.get(`${id}-${generation}`) ?? null
    },
    async readTable({ key }, table) {
      const found = rows.get(`${key.sliceId}-${key.generation}-${key.page}-${table}`)
      if (damaged.has(key.sliceId) || found === undefined) {
        throw new StageError('a bit flipped', { code: 'STAGE_DAMAGED', hint: 'Fetch it again.' })
      }
      return found
    },
    find: unused,
    write: unused,
    readRaw: unused,
    release: async () => undefined,
    requireRoom: () => Promise.resolve(),
    sweep: unused,
  }
  return stage
}

function stagedPage(page: TestPage, pageNo: number): StagedPage {
  const { made, fetchedAtMs = LATE_MS } = page
  const columns = page.columns ?? (made && { table: made.table, rowCount: made.rows.numRows })
  return {
    key: { sliceId: sliceId(page.slice), generation: page.generation ?? 0, step: 0, page: pageNo },
    slice: page.slice,
    operation: 'coins/{id}/market_chart/range',
    url: 'http://127.0.0.1/v2/ticks',
    status: 200,
    requestedAtMs: fetchedAtMs - 50,
    fetchedAtMs,
    durationMs: 50,
    calls: page.calls ?? 1,
    observedAtMs: fetchedAtMs,
    counts: page.counts ?? { outsideSlice: 0, duplicate: 0, future: 0 },
    rejected: page.rejected ?? [],
    unknownPaths: page.unknownPaths ?? {},
    gaps: page.gaps ?? [],
    itemCount: page.itemCount ?? columns?.rowCount ?? 0,
    itemsSoFar: page.itemCount ?? columns?.rowCount ?? 0,
    toldItems: page.toldItems ?? null,
    deliveredGranularity: (page.slice.granularity || null) as Granularity | null,
    next: null,
    body: { encoding: 'zstd', keptBytes: 1, sizeBytes: 100, sha256: 'ab' },
    tables: columns === undefined ? [] : [{ table: columns.table, rowCount: columns.rowCount }],
  }
}

/** Rows for `ticks` at the given hours after START_MS; the price is `priceAt(hour)`. */
export function ticksRows(
  hours: readonly number[],
  priceAt: (hour: number) => number | null = (hour) => hour + 0.1,
  more: Partial<ColumnsByName> = {},
): NonNullable<TestPage['columns']> {
  const ts = hours.map((hour) => START_MS + hour * HOUR_MS)
  const values: ColumnsByName = {
    coin_id: { constant: 'bitcoin' },
    vs_currency: { constant: 'usd' },
    granularity: { constant: '1h' },
    ts,
    price: hours.map((hour) => priceAt(hour)),
    rank: { constant: 1 },
    note: { constant: null },
    is_stale: { constant: false },
    extra: { constant: null },
    ts_date: ts,
    ...(more as ColumnsByName),
  }
  return { table: 'ticks', values, rowCount: hours.length }
}

/** The hours of a half-open range. */
export function hours(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
