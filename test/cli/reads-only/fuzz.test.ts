import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenPublication, openPublished } from '../../../cli/query/open-published.ts'
import { streamQuery } from '../../../cli/query/query-result.ts'
import { MAX_VALUE_CHARS } from '../../../api/operations/describe-operation.ts'
import { operations } from '../../../api/operations.ts'
import { frozenClock } from '../../../config/clock.ts'
import { createPublishedSource } from '../../../service/warehouse/warehouse-source.ts'
import { pathWith } from '../../service/bad-requests.ts'
import { TINY_NOW_MS, tinyWarehouse } from '../../parts/tiny-warehouse.ts'
import type { WarehousePaths } from '../../../config/warehouse-paths.ts'
import { treeState } from '../refusal.ts'
import { hostileStatement, type Targets } from './hostile-statements.ts'
import { serveInTest } from '../../parts/serve-source.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const STATEMENTS_EACH = 1_100
/** Few: what a statement leaves in its session must hide nothing from the next. */
const STATEMENTS_A_SESSION = 20
const SEED = 16
const SECRET = 'canary-that-sings'

const outside = tempDir(afterAll)
const warehouses: WarehousePaths[] = []

beforeAll(async () => {
  mkdirSync(join(outside, 'own'))
  writeFileSync(join(outside, 'own', 'own.csv'), 'a,b\n1,2\n')
  writeFileSync(join(outside, 'canary.csv'), `a,b\n${SECRET},1\n`)
  writeFileSync(join(outside, 'canary.json'), `{"a":"${SECRET}"}\n`)
  await askDuckdb(
    join(outside, 'canary.duckdb'),
    `CREATE TABLE _loads AS SELECT '${SECRET}' AS secret;
     COPY _loads TO '${join(outside, 'canary.parquet')}'`,
  )
  for (const publication of ['duckdb', 'parquet'] as const) {
    const warehouse = await tinyWarehouse(publication, afterAll)
    mkdirSync(warehouse.stageDir)
    writeFileSync(join(warehouse.stageDir, 'page'), SECRET)
    mkdirSync(warehouse.stateDir)
    writeFileSync(warehouse.storeFile, readFileSync(join(outside, 'canary.duckdb')))
    warehouses.push(warehouse)
  }
})

/** Names, sizes, and times to the nanosecond, of all below some folders. */
function timesBelow(...dirs: string[]): string {
  const names = dirs.flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
  )
  const facts = names.toSorted().map((path) => {
    const { size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
    return `${path} ${size} ${mtimeNs} ${ctimeNs}`
  })
  return facts.join('\n')
}

function targetsOf(paths: WarehousePaths): Targets {
  const { root, duckdbLink, parquetLink, storeFile, stageDir } = paths
  const first = readdirSync(root, { recursive: true, withFileTypes: true }).find(({ name }) =>
    name.endsWith('.parquet'),
  )
  const published = first === undefined ? duckdbLink : join(first.parentPath, first.name)
  return {
    canaries: [
      ...['csv', 'json', 'parquet', 'duckdb'].map((end) => join(outside, `canary.${end}`)),
      join(stageDir, 'page'),
      storeFile,
    ],
    prey: [storeFile, published, `${published}.wal`, `${stageDir}/new`, `${parquetLink}/new`],
    allowedDir: join(outside, 'own'),
  }
}

const open = (warehouse: WarehousePaths): Promise<OpenPublication> =>
  openPublished(warehouse, 'UTC', { dirs: [join(outside, 'own')] })

/** All that a statement answers, or its error. */
async function answerTo(connection: DuckDBConnection, sql: string): Promise<string> {
  try {
    const { chunks } = await streamQuery(connection, sql)
    let text = 'ok '
    for await (const chunk of chunks) {
      text += chunk.getRows().map(String).join('\n')
      if (text.length > 1_000_000) break
    }
    return text
  } catch (error) {
    return `error ${String(error)}`
  } finally {
    await connection.run('ROLLBACK').catch(() => undefined)
  }
}

test('hostile statements write nothing and read nothing outside', async () => {
  const seen = { statements: 0, refused: 0, writes: 0, reads: 0 }
  for (const warehouse of warehouses) {
    const { root } = warehouse
    const statements = fc.sample(hostileStatement(targetsOf(warehouse)), {
      numRuns: STATEMENTS_EACH,
      seed: SEED,
    })
    const contents = [treeState(root), treeState(outside)]
    const before = timesBelow(root, outside)
    let publication = await open(warehouse)
    for (const [index, sql] of statements.entries()) {
      if (index % STATEMENTS_A_SESSION === 0) {
        publication.close()
        publication = await open(warehouse)
      }
      const answer = await answerTo(publication.connection, sql)
      seen.statements += 1
      if (answer.startsWith('error')) seen.refused += 1
      if (answer.includes(SECRET)) seen.reads += 1
      expect(answer, sql).not.toContain(SECRET)
      const isSame = timesBelow(root, outside) === before
      if (!isSame) seen.writes += 1
      expect(isSame, `${sql}\n${answer}`).toBe(true)
    }
    publication.close()
    expect(timesBelow(root, outside)).toBe(before)
    expect([treeState(root), treeState(outside)]).toEqual(contents)
  }
  process.stderr.write(
    `${seen.statements} statements: ${seen.refused} refused, ${seen.writes} writes, ${seen.reads} reads outside\n`,
  )
  expect(seen.statements).toBeGreaterThanOrEqual(2_000)
  expect(seen.refused).toBeGreaterThan(1_000)
})

test('served over a socket, text in any parameter is nothing but text', async () => {
  const warehouse = warehouses[0]!
  const { root, duckdbLink } = warehouse
  const clock = frozenClock(TINY_NOW_MS)
  const source = await createPublishedSource(duckdbLink, clock)
  const all = Object.values(operations)
  const { url } = await serveInTest(source)
  const targets = targetsOf(warehouse)
  const [file = ''] = targets.canaries
  const texts = [
    ...fc.sample(hostileStatement(targets), { numRuns: 3, seed: SEED }),
    ...Array.from(`'"\`%_*?\\`),
    '$1',
    "'; DROP TABLE coins; --",
    "' OR 1=1 --",
    file,
    `../../..${file}`,
    `file://${file}`,
    `read_text('${file}')`,
    `"${file}"`,
    `' || (SELECT content FROM read_text('${file}')) || '`,
    `') UNION SELECT content FROM read_text('${file}') --`,
    `usd' AS x FROM read_csv('${file}') --`,
    `'; ATTACH '${warehouse.storeFile}' AS s (READ_WRITE); DELETE FROM s._loads; --`,
  ]
  const statuses = new Set<number>()
  let requests = 0
  const before = timesBelow(root, outside)
  for (const operation of all) {
    const asked = operation.params.flatMap(({ name }) =>
      texts.map((text) =>
        pathWith(operation, { [name]: encodeURIComponent(text.slice(0, MAX_VALUE_CHARS)) }),
      ),
    )
    const answers = await Promise.all(
      asked.map(async (path) => {
        const answer = await fetch(`${url}/v2/${path}`)
        return { path, status: answer.status, text: await answer.text() }
      }),
    )
    for (const { path, status, text } of answers) {
      requests += 1
      statuses.add(status)
      expect(text, path).not.toContain(SECRET)
    }
    expect(timesBelow(root, outside), operation.id).toBe(before)
  }
  const seen = [...statuses].toSorted((a, b) => a - b)
  process.stderr.write(`${requests} requests: ${seen.join(', ')}\n`)
  // A text that DuckDB took for SQL would end as 500: its locks refuse the file.
  expect(seen).toEqual([200, 400, 404])
})
