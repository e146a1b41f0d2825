import { figure, type Cell, type Column, type FigureTable, type Row } from './figure-table.ts'

/** A load and the publications after it. */
export interface LoadTimes {
  loadMs: number
  duckdbMs: number
  parquetMs: number
}

/** The measurements on a table of one size. */
export interface SizeTimes {
  millions: number
  /** Times after a load of few new rows. */
  small: LoadTimes
  /** Times after a load of a million rows, half of which the table has already. */
  large: LoadTimes
  /** One INSERT of a million rows into a table without keys. */
  insertMs: number
}

/** A small publication may grow this much from the smallest table to the largest. */
const SMALL_GROWTH_GOAL = 2
const LOAD_GROWTH_GOAL = 1.4
/** Largest ratios: a load to a plain INSERT, and a publication to its load. */
const INSERT_GOAL = 1.5
const PUBLICATION_GOAL = 2

/**
 * Tables of seconds after small and after large loads, then of ratios with their goals.
 *
 * @param measured from the smallest table to the largest
 * @param smallRows rows of a small load
 */
export function timesTables(measured: readonly SizeTimes[], smallRows: number): FigureTable[] {
  const seconds = (ms: number): number | null => figure(ms / 1000)
  const three = ({ loadMs, duckdbMs, parquetMs }: LoadTimes): (number | null)[] =>
    [loadMs, duckdbMs, parquetMs].map(seconds)
  const small = measured.map((one) => ({
    name: sizeOf(one),
    cells: three(one.small),
  }))
  const large = measured.map((one) => ({
    name: sizeOf(one),
    cells: [...three(one.large), seconds(one.insertMs)],
  }))
  const steps = ['load', 'duckdb', 'parquet']
  return [
    {
      title: `after a load of ${smallRows} new rows`,
      rowsAre: 'rows there',
      columns: inSeconds(steps),
      rows: small,
    },
    {
      title: 'after a load of a million rows of which half are there',
      rowsAre: 'rows there',
      columns: inSeconds([...steps, 'plain insert']),
      rows: large,
    },
    {
      title: 'ratios',
      columns: measured.map((one) => ({ name: sizeOf(one), decimals: 2 })),
      rows: ratios(measured),
    },
  ]
}

function ratios(measured: readonly SizeTimes[]): Row[] {
  const [least] = measured
  const growth = (name: string, of: (one: SizeTimes) => number, atMost: number): Row => ({
    name,
    cells: measured.map((one): Cell => {
      const value = figure(of(one) / (least === undefined ? Number.NaN : of(least)))
      const isLargest = one !== least && one === measured.at(-1)
      return isLargest ? { value, atMost } : value
    }),
  })
  const each = (name: string, of: (one: SizeTimes) => number, atMost: number): Row => ({
    name,
    cells: measured.map((one) => ({ value: figure(of(one)), atMost })),
  })
  const size = least === undefined ? '' : sizeOf(least)
  return [
    growth(`small: duckdb / duckdb at ${size}`, (one) => one.small.duckdbMs, SMALL_GROWTH_GOAL),
    growth(`small: parquet / parquet at ${size}`, (one) => one.small.parquetMs, SMALL_GROWTH_GOAL),
    growth(`large: load / load at ${size}`, (one) => one.large.loadMs, LOAD_GROWTH_GOAL),
    each('large: load / plain insert', (one) => one.large.loadMs / one.insertMs, INSERT_GOAL),
    each('large: duckdb / load', ({ large }) => large.duckdbMs / large.loadMs, PUBLICATION_GOAL),
    each('large: parquet / load', ({ large }) => large.parquetMs / large.loadMs, PUBLICATION_GOAL),
  ]
}

function inSeconds(names: readonly string[]): Column[] {
  return names.map((name) => ({ name, unit: 's', decimals: 2 }))
}

function sizeOf({ millions }: SizeTimes): string {
  return `${millions} million`
}
