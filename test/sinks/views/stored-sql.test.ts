import { afterAll, expect, test } from 'vitest'
import { coverageView } from '../../../sinks/ledger/coverage-view.ts'
import { analystMacros, analystViews } from '../../../sinks/views/analyst-views.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

/** All SQL that a file keeps: its writer parses it, and a DuckDB of another version reads it. */
const STORED = [...analystViews, coverageView, ...analystMacros].map(
  ({ name, sql }) => [name, sql] as const,
)

const connection = await memoryDuckdb(afterAll)

/** Calls of `lead` and `lag` in a statement that say how far they look, or what stands at the end. */
async function looksWithMore(sql: string): Promise<string[]> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])
  const tree = JSON.parse(String(reader.getRows()[0]?.[0])) as { error: boolean }
  expect(tree).toMatchObject({ error: false })
  const found: string[] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, offset_expr: offset, default_expr: otherwise } = node as Record<string, unknown>
    const isLook = type === 'WINDOW_LEAD' || type === 'WINDOW_LAG'
    if (isLook && (offset != null || otherwise != null)) found.push(type)
    for (const child of Object.values(node)) walk(child)
  }
  walk(tree)
  return found
}

test('a look ahead or back with a distance or a value for the end is found wherever it stands', async () => {
  const nested = `WITH a AS (SELECT lag(x, 2) OVER (ORDER BY x) AS y FROM t)
    SELECT y, lead(y) OVER (ORDER BY y) FROM a UNION ALL
    SELECT 1, coalesce(lead(y, 1, 0) OVER (ORDER BY y), 2) FROM a`
  expect(await looksWithMore(nested)).toEqual(['WINDOW_LAG', 'WINDOW_LEAD'])
})

// DuckDB 2.0 loses both of views that 1.5 stored: what is there at the end is NULL.
test.each(STORED)('%s has none: every DuckDB reads the same of it', async (_, sql) => {
  expect(await looksWithMore(sql)).toEqual([])
})
