import { expect, test } from 'vitest'
import { datasets } from '../../../datasets/index.ts'
import { storedColumns } from '../../../datasets/table/ddl.ts'
import { datasetList } from '../../../cli/describe/dataset-text.ts'
import { runCaptured } from '../../parts/run-captured.ts'

test('lists every dataset with its tables', async () => {
  const { exitCode, stdout, stderr } = await runCaptured(['datasets'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  for (const { name, kind, tables } of datasets) {
    const line = stdout.split('\n').find((one) => one.startsWith(`${name} `))
    expect(line).toContain(kind)
    for (const table of tables) expect(line).toContain(table.name)
  }
})

test.each([40, 80, 120])('on a terminal of %i columns no name is broken', (width) => {
  const lines = datasetList(datasets, width)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(Math.max(width, 70))
  const words = new Set(lines.join('\n').split(/[\s,]+/))
  for (const { name, tables } of datasets) {
    expect(words).toContain(name)
    for (const table of tables) expect(words).toContain(table.name)
  }
})

test.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
  '%s: every column with type, unit, description; what is left out',
  async (name, dataset) => {
    const { stdout } = await runCaptured(['datasets', name])
    const plain = stdout.replaceAll(/\s+/g, ' ')
    for (const table of dataset.tables) {
      expect(stdout).toContain(`\ntable ${table.name}\n`)
      expect(plain).toContain(`key: ${table.key.join(', ')}`)
      for (const column of storedColumns(table)) {
        expect(stdout).toMatch(new RegExp(`\\n  ${column.name}  [A-Z]+`))
        if (column.unit !== null) expect(plain).toContain(`in ${column.unit}`)
        expect(plain).toContain(column.description.replaceAll(/\s+/g, ' '))
      }
    }
    for (const { path } of dataset.leftOut) expect(stdout).toContain(path)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(140)

    const json = JSON.parse((await runCaptured(['datasets', name, '--json'])).stdout) as {
      tables: { columns: { name: string; is_lineage: boolean }[] }[]
    }
    expect(json.tables.map(({ columns }) => columns.map((column) => column.name))).toEqual(
      dataset.tables.map((table) => storedColumns(table).map((column) => column.name)),
    )
    expect(json.tables[0]?.columns.at(-1)?.is_lineage).toBe(true)
    expect(json.tables[0]?.columns[0]?.is_lineage).toBe(false)
  },
)

test('--json alone is all of them', async () => {
  const all = JSON.parse((await runCaptured(['datasets', '--json'])).stdout) as { name: string }[]
  expect(all.map(({ name }) => name)).toEqual(datasets.map(({ name }) => name))
})

test('a table names its dataset', async () => {
  expect((await runCaptured(['datasets', 'exchange_stats'])).stdout).toMatch(/^exchanges \(/)
})

test('a view: what it reads, and its columns', async () => {
  const { exitCode, stdout } = await runCaptured(['datasets', 'daily_prices'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(
    /^view daily_prices\n[^]*\nreads: market_chart\n[^]*\n {2}close_of_date {2}DATE/,
  )
  const { stdout: json } = await runCaptured(['datasets', 'coverage', '--json'])
  expect(JSON.parse(json)).toMatchObject({ view: 'coverage', needs: ['_coverage'] })
})

test('a macro: how it is called, and what it reads', async () => {
  const { exitCode, stdout } = await runCaptured(['datasets', 'candles'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^macro candles\(width, db := 'main'\)\n[^]*\nreads: market_chart\n$/)
  const { stdout: json } = await runCaptured(['datasets', 'candles', '--json'])
  expect(JSON.parse(json)).toMatchObject({ macro: 'candles', needs: ['market_chart'] })
})

test.each([
  ['datasets market-chrt', 'Did you mean `market_chart`?'],
  ['datasets exchange_stat', 'Did you mean `exchange_stats`?'],
  ['datasets zzz', 'Datasets: coins, coin_markets'],
  ['datasets dayly_prices', 'Did you mean `daily_prices`?'],
  ['get daily_prices', '`daily_prices` is made of `market_chart`.'],
])('%s: %s', async (words, hint) => {
  const { exitCode, stdout, stderr } = await runCaptured(words.split(' '))
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('error[UNKNOWN_DATASET]')
  expect(stderr).toContain(hint)
})
