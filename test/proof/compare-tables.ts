import type { DuckDBConnection } from '@duckdb/node-api'

/** Two relations with the same columns. */
export interface Comparison {
  /** A SELECT. */
  expected: string
  /** A SELECT; may have the columns of `ignored` besides. */
  actual: string
  /** Columns that tell rows apart; [] of a relation with one row. */
  key: readonly string[]
  /** Columns of `actual` that nobody can expect. */
  ignored?: readonly string[]
  /** Columns of JSON text: equal are those with the same members and values, however they are written. */
  json?: readonly string[]
}

export interface Compared {
  rows: number
  /** Rows times columns: how many values were held against each other. */
  values: number
  /** One line each; [] when both are equal. */
  differences: string[]
}

interface ColumnType {
  name: string
  type: string
}

/**
 * Compares value by value in SQL: doubles bit by bit (the sign of 0 included), NULL equal to NULL
 * only, types and column sets too.
 */
export async function compareTables(
  connection: DuckDBConnection,
  comparison: Comparison,
): Promise<Compared> {
  const { key, ignored = [], json = [] } = comparison
  const expected = await describe(connection, comparison.expected)
  const actual = await describe(connection, comparison.actual)
  const differences = columnDifferences(
    expected,
    actual.filter(({ name }) => !ignored.includes(name)),
  )
  if (differences.length > 0) return { rows: 0, values: 0, differences }
  const tests = expected.map(({ name, type }) => {
    const read = (side: string): string => {
      const column = `${side}.${quote(name)}`
      return json.includes(name) ? jsonTree(column) : column
    }
    const [e, a] = [read('e'), read('a')]
    const differs = `${e} IS DISTINCT FROM ${a}`
    const bits = `signbit(${e}) IS DISTINCT FROM signbit(${a})`
    return `count(*) FILTER (${type === 'DOUBLE' ? `${differs} OR ${bits}` : differs}) AS ${quote(name)}`
  })
  const on = ['*there', ...key].map(
    (name) => `e.${quote(name)} IS NOT DISTINCT FROM a.${quote(name)}`,
  )
  const [found] = await rowsOf(
    connection,
    `SELECT count(*) AS "*rows", count(*) FILTER (a."*there" IS NULL) AS "*missing",
       count(*) FILTER (e."*there" IS NULL) AS "*too many", ${tests.join(', ')}
     FROM (SELECT *, true AS "*there" FROM (${comparison.expected})) AS e
     FULL JOIN (SELECT *, true AS "*there" FROM (${comparison.actual})) AS a ON ${on.join(' AND ')}`,
  )
  const { '*rows': rows, ...counts } = found as Record<string, bigint>
  for (const [what, count] of Object.entries(counts)) {
    if (count > 0n) differences.push(`${what}: ${count} of ${rows}`)
  }
  return { rows: Number(rows), values: Number(rows) * expected.length, differences }
}

/** The nodes of a JSON text as a list: numbers as doubles, so that 1 is 1.0. */
function jsonTree(column: string): string {
  const isNumber = `node.type IN ('DOUBLE', 'BIGINT', 'UBIGINT')`
  return `(SELECT list({
    path: node.fullkey,
    type: CASE WHEN ${isNumber} THEN 'NUMBER' ELSE node.type END,
    value: CASE WHEN ${isNumber} THEN node.atom::DOUBLE::VARCHAR ELSE node.atom::VARCHAR END
  } ORDER BY node.fullkey) FROM json_tree(${column}) AS node)`
}

function columnDifferences(expected: readonly ColumnType[], actual: readonly ColumnType[]) {
  const textOf = ({ name, type }: ColumnType): string => `${name} ${type}`
  const wanted = new Set(expected.map(textOf))
  const found = new Set(actual.map(textOf))
  return [
    ...[...wanted].filter((column) => !found.has(column)).map((column) => `no column ${column}`),
    ...[...found].filter((column) => !wanted.has(column)).map((column) => `unknown ${column}`),
  ]
}

async function describe(connection: DuckDBConnection, sql: string): Promise<ColumnType[]> {
  const rows = await rowsOf(connection, `DESCRIBE ${sql}`)
  return rows.map((row) => ({ name: String(row['column_name']), type: String(row['column_type']) }))
}

async function rowsOf(
  connection: DuckDBConnection,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRowObjectsJS()
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
