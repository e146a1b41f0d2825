import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { EVIL, preparedWarehouse } from '../../parts/prepared-warehouse.ts'

const ESCAPED = '&lt;script&gt;alert('

test('names, reasons and values of a source are text, whatever they hold', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const { stdout: page } = await warehouse.run('report', '-o', '-', '--coin', EVIL)
  // A page in a message of failure helps nobody: counts and places do.
  expect(page.match(/.{0,40}<(?:script|img).{0,40}/gi)).toBeNull()
  expect(page.split(ESCAPED).length).toBeGreaterThan(10)
  // In the lists, in the tables, and in each drawing: as the name of a row, a title and a label.
  const places = ['<b>', '<td[^>]*>', '<title>', '<text[^>]*>', 'aria-label="[^"]*']
  expect(
    places.filter((tag) => !new RegExp(`${tag}[^<"]*${ESCAPED.replace('(', '\\(')}`).test(page)),
  ).toEqual([])
  expect(page.includes('&lt;img src=x')).toBe(true)
})

test('a page loads nothing, runs nothing and is small', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const { stdout: page } = await warehouse.run('report', '-o', '-')
  const policy = /Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")
  expect(policy).toBe("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
  const attributes = [...parseHTML(page).document.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes].map(({ name, value }) => ({ name, value })),
  )
  const targets = attributes.filter(({ name }) =>
    /^(?:src|srcset|href|xlink:href|action|data)$/.test(name),
  )
  expect(targets.length).toBeGreaterThan(5)
  expect(targets.filter(({ value }) => !/^(?:#[a-z]+|data:,)$/.test(value))).toEqual([])
  expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([])
  expect(page.match(/@import|url\(/)).toBeNull()
  expect(page.length).toBeLessThan(100_000)
})

test('every table has a cell under each of its heads', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const { stdout: page } = await warehouse.run('report', '-o', '-')
  const { document } = parseHTML(page)
  const tables = [...document.querySelectorAll('table')]
  expect(tables.length).toBeGreaterThan(7)
  for (const table of tables) {
    const heads = table.querySelectorAll('th').length
    for (const row of table.querySelectorAll('tbody tr')) {
      expect(row.querySelectorAll('td')).toHaveLength(heads)
    }
  }
  const [fresh] = document.querySelectorAll('#freshness tbody tr')
  const cells = [...(fresh?.querySelectorAll('td') ?? [])].map((one) => one.textContent)
  expect(cells).toEqual([
    'market_chart 1d',
    'stale',
    '29.5 h',
    '2024-04-09 00:00',
    '25.7 h',
    '2024-04-10 01:40',
  ])
})

test('where the page goes', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const file = join(warehouse.dir, 'coinlake-report.html')
  const first = await warehouse.run('report')
  expect(first).toMatchObject({ exitCode: 0, stdout: '' })
  expect(first.stderr).toBe(
    `partial: 1 slice failed, 1 of 2 series have gaps, 3 rows quarantined, newest daily price 29.5 h old\nwrote ${file}\n`,
  )
  const written = readFileSync(file, 'utf8')
  expect(written.startsWith('<!doctype html>')).toBe(true)
  expect(await warehouse.run('report', '-o', file)).toMatchObject({ exitCode: 0 })
  expect(readFileSync(file, 'utf8')).toBe(written)

  const nowhere = await warehouse.run('report', '-o', 'no/such/folder.html')
  expect(nowhere.exitCode).toBe(5)
  expect(nowhere.stderr).toContain('error[OUTPUT_NOT_WRITABLE]')
  const json = await warehouse.run('report', '--json', '-o', 'facts.json')
  expect(json).toMatchObject({ exitCode: 0, stdout: '' })
  expect(JSON.parse(readFileSync(join(warehouse.dir, 'facts.json'), 'utf8'))).toMatchObject({
    format: 1,
  })
  expect(existsSync(join(warehouse.dir, 'no'))).toBe(false)
  expect(readdirSync(warehouse.dir).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('a configuration that leaves open what is wanted: coverage of what was asked for', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const lines = ['source: { base_url: "http://127.0.0.1:9" }', 'warehouse: ./warehouse']
  writeFileSync(
    join(warehouse.dir, 'coinlake.yaml'),
    [...lines, 'datasets: { market_chart: { granularity: daily } }', ''].join('\n'),
  )
  const { exitCode, stdout } = await warehouse.run('report', '-o', '-')
  expect(exitCode).toBe(0)
  expect(stdout.includes('gaps are not known')).toBe(true)
  expect(stdout.includes('aria-label="Coverage of market_chart 1d')).toBe(true)
})
