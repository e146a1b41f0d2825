import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeEach, expect, inject, test } from 'vitest'
import type { Publication } from '../../sinks/publication.ts'
import { s3Files } from '../../stage/s3-files.ts'
import { startDeltaReader } from '../sinks/publish/delta-reader.ts'
import { loadFullSet, lookSql, type Seen } from '../sinks/publish/full-sets.ts'
import { placeOf } from '../sinks/publish/publication-of.ts'
import { openSample, RUN } from '../sinks/publish/sample-publication.ts'
import type { SampleStore } from '../sinks/publish/sample-store.ts'
import { manifestOf } from '../sinks/publish/read-delta.ts'
import { s3OfFile } from './parts/minio.ts'
import { memoryDuckdb } from '../parts/duckdb.ts'

const PUBLISHES = 50
const LOOK_EVERY_MS = 5

const s3 = await s3OfFile()
let place = ''
let store: SampleStore
let publication: Publication
beforeEach(async () => {
  const sample = await openSample('bucket')
  ;({ store, publication } = sample)
  place = placeOf(sample.root)
  await loadAndPublish(1)
})

async function loadAndPublish(set: number): Promise<void> {
  await loadFullSet(store, set)
  await publication.publish({ ...RUN, publishedAtMs: Date.now() })
}

/** A session of DuckDB as docs/scale-out.md says, with nothing of coinlake in it. */
async function openReader(): Promise<DuckDBConnection> {
  const connection = await memoryDuckdb()
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL_S3 } = s3.env
  await connection.run(`LOAD '${join(inject('extensions'), 'httpfs.duckdb_extension')}'`)
  await connection.run(
    `CREATE SECRET (TYPE s3, KEY_ID '${AWS_ACCESS_KEY_ID}', SECRET '${AWS_SECRET_ACCESS_KEY}', REGION '${AWS_REGION}',
       ENDPOINT '${AWS_ENDPOINT_URL_S3?.replace('http://', '')}', URL_STYLE 'path', USE_SSL false)`,
  )
  return connection
}

/** Reads the manifest once, then the files that it names. */
async function look(reader: DuckDBConnection): Promise<Seen> {
  await reader.run(
    `CREATE OR REPLACE TEMP TABLE files AS
     SELECT file."table" AS name, list('${place}/' || file.path) AS paths
     FROM (SELECT unnest(files) AS file FROM '${place}/manifest.json') GROUP BY ALL`,
  )
  for (const name of ['market_chart', 'coins']) {
    await reader.run(
      `SET VARIABLE ${name} = (SELECT paths FROM files WHERE files.name = '${name}')`,
    )
  }
  const tableOf = (name: string): string => `read_parquet(getvariable('${name}'))`
  const sql = lookSql(tableOf('market_chart'), tableOf('coins'))
  const [row] = (await reader.runAndReadAll(sql)).getRowObjects()
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Seen
}

test('readers by DuckDB, deltalake and polars see one moment while it is published', async () => {
  const delta = startDeltaReader(place, s3.env)
  const reader = await openReader()
  const seen: Seen[] = []
  // Each publication is beside a look of everybody.
  const looked = async (): Promise<void> => {
    const [duckdbLooks, deltaLooks] = [seen.length, delta.lines()]
    while (seen.length === duckdbLooks || delta.lines() === deltaLooks) await sleep(LOOK_EVERY_MS)
  }
  const publishing = (async () => {
    for (let set = 2; set <= PUBLISHES; set++) {
      await looked()
      await loadAndPublish(set)
    }
  })()
  const done = { isPublished: false }
  void publishing.finally(() => (done.isPublished = true)).catch(() => undefined)
  while (!done.isPublished) seen.push(await look(reader))
  await publishing
  seen.push(await look(reader))

  for (const one of seen) {
    expect(one).toEqual({
      sets: one.sets,
      set_rows: 6 * one.sets,
      moving_rows: 3,
      price_sum: 0,
      newest: one.newest,
      newest_coin: one.newest,
    })
  }
  expect(new Set(seen.map(({ sets }) => sets)).size).toBeGreaterThan(1)
  expect(seen.at(-1)?.sets).toBe(PUBLISHES)
  const report = await delta.finish()
  expect(report).toMatchObject({ errors: [], partial: [] })
  expect(report.sets.length).toBeGreaterThan(1)
  expect(report.sets.at(-1)).toBe(PUBLISHES)
  process.stderr.write(
    `${PUBLISHES} publications: DuckDB ${seen.length} looks, deltalake and polars ${report.reads}, 0 in part\n`,
  )
})

test('the views of a version show it as the published file', async () => {
  const reader = await openReader()
  const { views_sql: path } = await manifestOf(place)
  await reader.run(String(await s3Files(place).read(path)))
  const found = await reader.runAndReadAll('SELECT count(*)::INTEGER FROM market_chart')
  expect(found.getRows()[0]?.[0]).toBe(9)
  const views = await reader.runAndReadAll(
    `SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment <> '' ORDER BY ALL`,
  )
  expect(views.getRows().flat()).toEqual(expect.arrayContaining(['coins', 'daily_prices']))
})
