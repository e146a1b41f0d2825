import { expect, test } from 'vitest'
import { parseConfig } from '../../config/load-config.ts'
import { frozenClock } from '../../config/clock.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { datasets } from '../../datasets/index.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { runCaptured } from '../parts/run-captured.ts'
import { tinyWarehouse } from '../parts/tiny-warehouse.ts'
import { commandsIn } from './commands-in.ts'
import { readPage } from './page-text.ts'

const readme = readPage('README.md')

test('its configuration is one that coinlake takes', () => {
  const [text, ...others] = readme.code.filter(({ language }) => language === 'yaml')
  expect(others).toEqual([])
  const env = { COINLAKE_API_KEY: 'any' }
  const config = parseConfig({ file: 'coinlake.yaml', env, datasets }, text?.text ?? '')
  const wanted = wantedFromConfig(config, datasets, frozenClock(Date.UTC(2026, 0, 1)))
  expect(wanted.map(({ dataset }) => dataset)).toEqual(['market_chart', 'coin_markets'])
})

test('its SQL runs', async () => {
  const warehouse = await tinyWarehouse('duckdb')
  try {
    const queries = commandsIn(readme)
      .filter(({ words: [verb] }) => verb === 'query')
      .map(({ words }) => words[1] ?? '')
    expect(queries.length).toBeGreaterThan(1)
    for (const sql of queries) {
      const ended = await runCaptured(['query', '-w', warehouse.paths.root, sql])
      expect(ended, sql).toMatchObject({ exitCode: 0, stderr: '' })
    }
  } finally {
    await warehouse.remove()
  }
})

test('the ledger tables that it names are there', () => {
  const named = readme.code.map(({ text }) => text).filter((text) => /^_[a-z]+$/.test(text))
  expect(named.length).toBeGreaterThan(0)
  expect(ledgerTables.map(({ name }) => name)).toEqual(expect.arrayContaining(named))
})
