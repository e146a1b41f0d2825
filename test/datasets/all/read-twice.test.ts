import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { Dataset, PageTables } from '../../../datasets/dataset.ts'
import { createTableSql } from '../../../datasets/table/ddl.ts'
import { appendArrow } from '../../parts/append-arrow.ts'
import { placedBody, type PlacedBody } from '../../proof/asked-names.ts'
import { compareTables } from '../../proof/compare-tables.ts'
import { askedFor, EXPECTED_TABLES } from '../../proof/expected/expected-tables.ts'
import { TECHNICAL } from '../../proof/published-tables.ts'
import { recordedBodies } from '../../proof/recorded-body.ts'
import { VARIATIONS, writeVariations } from '../../proof/variations.ts'
import { withoutLeftOut } from '../../proof/without-left-out.ts'
import { answerAgain, askedAtMs, placedPages } from './placed-pages.ts'
import { Warehouse } from '../warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url))
const variationsDir = tempDir(afterAll)
writeVariations(variationsDir)
const bodies = [SAMPLES, variationsDir].flatMap(recordedBodies)

const connection = await memoryDuckdb(afterAll)

/**
 * Each recording and variation without HTTP, stage and store (test/proof/real-input.test.ts is the whole way): every value of every
 * column is the one that DuckDB reads from the JSON, nothing is set aside or unknown but what the variation
 * says, and the body is answered again as it was.
 */
test.each(bodies.map((body) => [body.name, placedBody(body, 0)] as const))(
  '%s: its columns are the JSON, and it comes back',
  async (name, body) => {
    const json = JSON.parse(readFileSync(body.path, 'utf8')) as unknown
    const warehouse = new Warehouse()
    for (const { dataset, context } of placedPages(body)) {
      const page = warehouse.loadPage(dataset, json, context)
      const { quarantined = 0, unknownPaths = {} } = VARIATIONS[name] ?? {}
      expect(page.rejected).toHaveLength(quarantined)
      expect(page).toMatchObject({ unknownPaths, counts: { outsideSlice: 0, duplicate: 0 } })
      await fillTables(dataset, page)
    }
    expect(await differencesOf(body)).toEqual([])
    const answer = answerAgain(warehouse, body, json)
    expect(withoutLeftOut(body, answer)).toEqual(withoutLeftOut(body, json))
  },
)

const DAY_MS = 86_400_000
const observed = Map.groupBy(
  recordedBodies(variationsDir).filter(
    ({ name, points, operation }) =>
      points === null && !operation.endsWith('history') && /-(whole|odd)--/.test(name),
  ),
  ({ operation }) => operation,
)

test.each([...observed].filter(([, [, second]]) => second !== undefined))(
  '%s: the newest observation answers, with nothing of an older one',
  (_, all) => {
    const [first, second] = all.map((body) => placedBody(body, 0))
    const warehouse = new Warehouse()
    const [old, young] = [first!, second!].map((body, place) => {
      const json = JSON.parse(readFileSync(body.path, 'utf8')) as unknown
      for (const { dataset, context } of placedPages(body)) {
        const observedAtMs = context.observedAtMs + place * DAY_MS
        warehouse.loadPage(dataset, json, { ...context, observedAtMs })
      }
      return { body, json }
    })
    for (const [one, afterMs] of [
      [old!, 0],
      [young!, DAY_MS],
    ] as const) {
      const answer = answerAgain(warehouse, one.body, one.json, afterMs)
      expect(withoutLeftOut(one.body, answer)).toEqual(withoutLeftOut(one.body, one.json))
    }
  },
)

async function fillTables(dataset: Dataset, page: PageTables): Promise<void> {
  for (const table of dataset.tables) {
    await connection.run(`DROP TABLE IF EXISTS ${table.name}`)
    await connection.run(createTableSql(table, { lineage: false }))
    const made = page.tables.find((one) => one.table === table.name)
    if (made !== undefined) await appendArrow(connection, table.name, made.rows, table.columns)
  }
}

async function differencesOf(body: PlacedBody): Promise<string[]> {
  const differences: string[] = []
  for (const { table, sql, key, json = [] } of EXPECTED_TABLES[body.operation](
    askedFor(body, askedAtMs(body)),
  )) {
    const expected = sql.replaceAll('{file}', `'${body.path}'`)
    const sides = { expected, actual: `FROM ${table}`, key, json, ignored: TECHNICAL }
    const found = await compareTables(connection, sides)
    differences.push(...found.differences.map((what) => `${table}: ${what}`))
  }
  return differences
}
