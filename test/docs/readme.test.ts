import { expect, test } from 'vitest'
import { allTables } from '../../datasets/index.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'
import { readPage } from './page-text.ts'

// Its commands and its SQL are run by readme-way.test.ts, its figures are filled in by `npm run docs`.

const readme = readPage('README.md')
const ledger = ledgerTables.map(({ name }) => name)
const described = new Map(
  [...allTables, ...analystViews].map((one) => {
    return [one.name, one.description] as const
  }),
)

test('it stays short enough to be read', () => {
  expect(readme.lineCount).toBeLessThanOrEqual(150)
})

test('the tables and views that it lists are there, with that row', () => {
  const rows = [...readme.text.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (.+?) \| .+ \|$/gm)]
  expect(rows.length).toBeGreaterThan(9)
  for (const [, names = '', grain = ''] of rows) {
    for (const [, name = ''] of names.matchAll(/`(\w+)`/g)) {
      if (name.startsWith('_')) expect(ledger).toContain(name)
      else expect(described.get(name), name).toContain(grain)
    }
  }
})
