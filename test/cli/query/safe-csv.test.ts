import { afterAll, describe, expect, test } from 'vitest'
import { runCaptured } from '../../parts/run-captured.ts'
import { tinyWarehouse } from '../../parts/tiny-warehouse.ts'

const duckdb = await tinyWarehouse('duckdb', afterAll)

const query = (sql: string, ...more: string[]) =>
  runCaptured(['query', '-w', duckdb.root, sql, ...more])

describe('text that a spreadsheet would run', () => {
  const SQL = `select '=HYPERLINK("http://x")' as a, '-1.5' as b, -1.5 as c, '@sum' as d, e'\\ttab' as e, 'a=b' as f, NULL as g, '=1+1'::union(t varchar) as h`
  const MARKED = `a,b,c,d,e,f,g,h\n"'=HYPERLINK(""http://x"")",-1.5,-1.5,'@sum,'\ttab,a=b,,'=1+1\n`

  test('CSV is exact, and such cells are counted', async () => {
    const { stdout, stderr } = await query(SQL, '-f', 'csv')
    expect(stdout).toBe(MARKED.replaceAll("'", ''))
    expect(stderr).toMatch(/^note: 4 cells begin like a formula, .*--safe-csv/)
  })

  test('--safe-csv marks it; numbers stay, as text too', async () => {
    const { stdout, stderr } = await query(SQL, '-f', 'csv', '--safe-csv')
    expect({ stdout, stderr }).toEqual({ stdout: MARKED, stderr: '' })
  })

  test('--safe-csv is for CSV', async () => {
    const { exitCode, stderr } = await query(SQL, '-f', 'json', '--safe-csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('error[USAGE]: --safe-csv is for CSV, and this is json')
  })
})

test.each(['csv', 'json'])('%s: exact in a pipe, nothing obeyed on a terminal', async (format) => {
  const sql = `select 'a\u202e\u009b2J\u2028' || chr(27) || '[2J' as t`
  const piped = await query(sql, '-f', format)
  expect(piped.stdout).toContain('a\u202e\u009b2J\u2028')
  const argv = ['query', '-w', duckdb.root, '-f', format, sql]
  const shown = await runCaptured(argv, { isTerminal: true })
  expect(shown.stdout).toContain('a\\u202e\\u009b2J\\u2028\\u001b[2J')
})
