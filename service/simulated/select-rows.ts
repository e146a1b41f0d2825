import type { Table as ArrowTable, Vector } from 'apache-arrow'
import type { Scalar } from '../../datasets/arrow/column-data.ts'
import type { ColumnType, Row, RowSelection, TableSpec } from '../../datasets/dataset.ts'

/** Reads the value of a column in a row. Times are epoch ms, integers numbers, and dates texts, as in a warehouse. */
type ReadValue = (row: number) => Scalar

/** A table in memory. */
export interface TableRows {
  rowCount: number
  /** The texts of columns with one text in all rows, such as the currency of a chart: no row needs a look. */
  constants: ReadonlyMap<string, string>
  column(name: string): ReadValue
}

export function tableRows({ columns }: TableSpec, table: ArrowTable): TableRows {
  const readers = new Map<string, ReadValue>()
  const constants = new Map<string, string>()
  for (const { name, type } of columns) {
    const vector = table.getChild(name)!
    const [data] = vector.data
    readers.set(name, columnReader(type, vector))
    const isConstant = data!.nullCount === 0 && data!.dictionary?.length === 1
    if (isConstant) constants.set(name, vector.get(0) as string)
  }
  return { rowCount: table.numRows, constants, column: (name) => readers.get(name)! }
}

function columnReader(type: ColumnType, vector: Vector): ReadValue {
  if (type === 'string') {
    // A few texts stand in many rows: each is decoded once.
    const { dictionary, values, nullCount } = vector.data[0]!
    const codes = values as Int32Array
    const texts = [...dictionary!] as string[]
    return (row) => (nullCount > 0 && !vector.isValid(row) ? null : texts[codes[row]!]!)
  }
  return (row) => {
    const value: unknown = vector.get(row)
    if (value === null) return null
    if (type === 'date') return new Date(Number(value)).toISOString().slice(0, 10)
    return typeof value === 'bigint' ? Number(value) : (value as Scalar)
  }
}

interface Place {
  table: TableRows
  row: number
}

/** The rows that a selection reads. All rows are of one observation, so all are the newest. */
export function selectRows(
  { columns }: TableSpec,
  tables: readonly TableRows[],
  selection: RowSelection,
): Row[] {
  if (selection.newest?.gone === true) return []
  const { offset = 0, limit = Infinity, orderBy } = selection
  const places: Place[] = []
  for (const table of tables) {
    const conditions = conditionsOn(table, selection)
    if (conditions === null) continue
    for (let row = 0; row < table.rowCount; row++) {
      if (conditions.every((holds) => holds(row))) places.push({ table, row })
    }
  }
  const compare = (a: Place, b: Place): number => {
    for (const { column, descending } of orderBy) {
      const order = compareValues(valueAt(a, column), valueAt(b, column), descending === true)
      if (order !== 0) return order
    }
    return 0
  }
  return places
    .sort(compare)
    .slice(offset, offset + limit)
    .map((place) => Object.fromEntries(columns.map(({ name }) => [name, valueAt(place, name)])))
}

function valueAt({ table, row }: Place, column: string): Scalar {
  return table.column(column)(row)
}

/** The conditions that the rows of a table may still fail; null: all fail. */
function conditionsOn(
  table: TableRows,
  { equals = {}, oneOf, between, contains }: RowSelection,
): ((row: number) => boolean)[] | null {
  const conditions: ((row: number) => boolean)[] = []
  for (const [name, wanted] of Object.entries(equals)) {
    const constant = table.constants.get(name)
    if (constant !== undefined && constant !== wanted) return null
    const valueAt = table.column(name)
    if (constant === undefined) conditions.push((row) => valueAt(row) === wanted)
  }
  if (oneOf !== undefined) {
    const valueAt = table.column(oneOf.column)
    const wanted = new Set<Scalar>(oneOf.values)
    conditions.push((row) => wanted.has(valueAt(row)))
  }
  if (between !== undefined) {
    const { fromMs, toMs } = between
    const timeAt = table.column(between.column)
    conditions.push((row) => {
      const ms = timeAt(row)
      return typeof ms === 'number' && ms >= fromMs && ms <= toMs
    })
  }
  if (contains !== undefined) {
    const texts = contains.columns.map((name) => table.column(name))
    const wanted = contains.text.toLowerCase()
    conditions.push((row) =>
      texts.some((textAt) => {
        const text = String(textAt(row) ?? '').toLowerCase()
        return contains.isWhole ? text === wanted : text.includes(wanted)
      }),
    )
  }
  return conditions
}

/** Nulls come last in either direction. */
function compareValues(a: Scalar, b: Scalar, isDescending: boolean): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b === isDescending ? 1 : -1
}
