import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../../config/coinlake-error.ts'
import { datasets } from '../../datasets/index.ts'
import { storedColumns } from '../../datasets/table/ddl.ts'
import { generatedPages } from '../../docs/generated-pages.ts'
import { dataDictionary, ownColumns } from '../../docs/generators/data-dictionary.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { newestTablesOf } from '../../sinks/newest/newest-tables.ts'
import { analystViews } from '../../sinks/views/analyst-views.ts'

test.each(generatedPages.map((page) => [page.file, page] as const))(
  '%s is fresh (else run: npm run docs)',
  async (_file, page) => {
    const committed = await readFile(new URL(`../../${page.file}`, import.meta.url), 'utf8')
    expect(committed).toBe(await page.generate())
  },
)

test('docs/cli.md tells every exit code, and no other', async () => {
  const text = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const table = text.slice(text.indexOf('## Exit codes'), text.indexOf('## Environment'))
  const told = [...table.matchAll(/^\| (\d+) \| \w/gm)].map(([, code]) => Number(code))
  expect(told).toEqual(Object.values(EXIT))
})

const OWN_TABLES = datasets.flatMap(({ tables }) => tables)
const TABLES = [...OWN_TABLES, ...newestTablesOf(OWN_TABLES).map(({ table }) => table)]

describe('the data dictionary', () => {
  const described = [
    ...TABLES.map((t) => ({ ...t, columns: storedColumns(t) })),
    ...ledgerTables,
    ...analystViews.map((view) => ({ ...view, columns: ownColumns(view) })),
  ]
  test.each(described.map((table) => [table.name, table] as const))(
    'has %s with every column',
    async (name, table) => {
      const text = await dataDictionary.generate()
      const from = text.indexOf(`\n### ${name}\n`)
      expect(from).toBeGreaterThan(0)
      const next = text.indexOf('\n### ', from + 1)
      const section = text.slice(from, next === -1 ? undefined : next)
      expect(section).toContain(table.description)
      for (const column of table.columns) expect(section).toContain(`| \`${column.name}\` | `)
    },
  )
})
