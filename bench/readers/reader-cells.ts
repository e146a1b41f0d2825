import {
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBConnection,
  type DuckDBValue,
} from '@duckdb/node-api'

/** A cell as text with its exact value and kind (bench/readers/cells.py); null = NULL. */
export type CellText = string | null

/** A reader's answer for a relation: rows in any order, or the error. */
export type Found = { name: string } & (
  | { columns: string[]; rows: CellText[][] }
  | { error: string }
)

/** The expected cells, and the columns that may differ in their last digits. */
export interface Expected {
  name: string
  columns: string[]
  rows: CellText[][]
  /** Places of columns with sums of doubles. Versions of DuckDB sum in different orders. */
  roundedPlaces: ReadonlySet<number>
}

/** The numbers of compared and of differing cells. */
export interface Compared {
  cells: number
  differing: number
  /** Relations with an error. All their cells count as differing. */
  failing: number
  /** The first difference in each relation, for people. */
  examples: string[]
}

/** Largest difference of two sums of the same doubles, as a share of the greater. */
const ROUNDING = 1e-12
const MS_PER_DAY = 86_400_000

/** Columns with their types, and all cells, of a SELECT in this process. */
export async function readHere(
  connection: DuckDBConnection,
  { name, sql }: { name: string; sql: string },
): Promise<{ name: string; columns: string[]; rows: CellText[][] }> {
  const described = await connection.runAndReadAll(`DESCRIBE ${sql}`)
  const read = await connection.runAndReadAll(sql)
  return {
    name,
    columns: (described.getRowsJson() as string[][]).map(([column, type]) => `${column} ${type}`),
    rows: read.getRows().map((row) => row.map(cellText)),
  }
}

function cellText(value: DuckDBValue): CellText {
  if (value === null) return null
  if (value instanceof DuckDBTimestampTZValue) return timeText(value.micros)
  if (value instanceof DuckDBDateValue) return dayText(value.days)
  return plainText(value)
}

export function timeText(microseconds: bigint): string {
  return `t${microseconds}`
}

/** @param days since 1970 */
export function dayText(days: number): string {
  return `D${new Date(days * MS_PER_DAY).toISOString().slice(0, 'yyyy-mm-dd'.length)}`
}

/** Text of a value that is neither a time nor a day. */
export function plainText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'bTrue' : 'bFalse'
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value === 'string') return `s${value}`
  if (typeof value !== 'number') return `?${JSON.stringify(value)}`
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return `d${bytes.toString('hex')}`
}

/** Compares the cells of a reader with the expected ones, by relation, in any order of rows. */
export function compareCells(expected: readonly Expected[], found: readonly Found[]): Compared {
  const byName = new Map(found.map((one) => [one.name, one]))
  const total: Compared = { cells: 0, differing: 0, failing: 0, examples: [] }
  for (const one of expected) {
    const { name, columns, rows } = one
    const cells = rows.length * columns.length
    total.cells += cells
    const read = byName.get(name) ?? { name, error: 'not answered' }
    const fault = faultOf(one, read)
    if (fault !== null) {
      total.failing += 1
      total.differing += Math.max(cells, 1)
      total.examples.push(`${name}: ${fault}`)
    } else if ('rows' in read) {
      const { differing, example } = compareRows(one, read.rows)
      total.differing += differing
      if (example !== undefined) total.examples.push(`${name}, ${example}`)
    }
  }
  return total
}

/** Why no cell of a relation can be compared. */
function faultOf({ columns }: Expected, found: Found): string | null {
  if ('error' in found) return found.error.replaceAll(/\s+/g, ' ')
  const isSame = JSON.stringify(columns) === JSON.stringify(found.columns)
  return isSame ? null : `columns ${found.columns.join(', ')} and not ${columns.join(', ')}`
}

function compareRows(
  { columns, rows, roundedPlaces }: Expected,
  found: readonly Row[],
): { differing: number; example?: string } {
  let differing = 0
  let example: string | undefined
  for (const [row, read] of paired(rows, found, roundedPlaces)) {
    for (const [place, column] of columns.entries()) {
      const [cell, got] = [row?.[place], read?.[place]]
      if (cell === got || (roundedPlaces.has(place) && isRounding(cell, got))) continue
      differing += 1
      example ??= `${column}: ${shown(got)} and not ${shown(cell)}; ${found.length} rows of ${rows.length}`
    }
  }
  return { differing, ...(example !== undefined && { example }) }
}

type Row = CellText[]

/**
 * Pairs each wanted row with a row that is equal in all but the rounded columns. Sorts the rows that are left, and pairs
 * them in turn; undefined = no partner.
 */
function paired(
  wanted: readonly Row[],
  got: readonly Row[],
  roundedPlaces: ReadonlySet<number>,
): [Row | undefined, Row | undefined][] {
  const keyOf = (row: Row): string =>
    JSON.stringify(row.map((cell, at) => (roundedPlaces.has(at) ? '' : cell)))
  const open = Map.groupBy(wanted, keyOf)
  const pairs: [Row | undefined, Row | undefined][] = []
  const alone: Row[] = []
  for (const row of got) {
    const partner = open.get(keyOf(row))?.shift()
    if (partner === undefined) alone.push(row)
    else pairs.push([partner, row])
  }
  const inOrder = (rows: readonly Row[]): Row[] =>
    rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const [missing, others] = [inOrder([...open.values()].flat()), inOrder(alone)]
  const length = Math.max(missing.length, others.length)
  const rest = Array.from({ length }, (_, at) => [missing[at], others[at]] as (typeof pairs)[0])
  return [...pairs, ...rest]
}

function isRounding(a: CellText | undefined, b: CellText | undefined): boolean {
  const [one, other] = [doubleOf(a), doubleOf(b)]
  if (!Number.isFinite(one) || !Number.isFinite(other)) return false
  return Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), Math.abs(other))
}

/** The double of a cell; NaN for other cells. */
function doubleOf(cell: CellText | undefined): number {
  return cell?.startsWith('d') === true ? Buffer.from(cell.slice(1), 'hex').readDoubleBE() : NaN
}

function shown(cell: CellText | undefined): string {
  if (cell === undefined) return 'no row'
  if (cell === null) return 'NULL'
  return cell.startsWith('d') ? String(doubleOf(cell)) : cell.slice(1)
}
