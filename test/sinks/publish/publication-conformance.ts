import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { newestSql, newestTablesOf } from '../../../sinks/newest/newest-tables.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { type PublicationKind, publicationOf } from './publication-of.ts'
import { runChild } from './run-child.ts'
import { expectStored, openSample, RUN } from './sample-publication.ts'
import {
  chart,
  coins,
  exactText,
  type Point,
  rowsSql,
  sampleTables,
  type SampleStore,
  storeRows,
} from './sample-store.ts'

/** The parts that the suite needs of a publication. */
export interface PublicationUnderTest {
  kind: PublicationKind
  /** Rows of a published table as a reader outside this process or engine sees them, in storeRows' form. */
  readBack(root: string, table: TableSpec): Promise<string[]>
  /** Path, inode and modification time of every published data file: equal = not touched. */
  fingerprint(root: string): Promise<string[]>
  /** Crash points of this publication alone, beside those of every one. */
  moreCrashPoints?: readonly string[]
  /** Temp files that a killed publisher may have left. */
  leftovers(root: string): Promise<string[]>
}

const CRASH_POINTS = [
  'publish.build.after',
  'publish.build.after:2',
  'publish.rename.before',
  'publish.rename.after',
  'publish.manifest.before',
]

const ODD_POINTS: Point[] = [
  ['bitcoin', '2024-01-31T23:59:59.999Z', 0.1, null],
  ['bitcoin', '2024-02-01T00:00:00.000Z', -0, 0],
  ['bitcoin', '2024-02-01T01:00:00.123456Z', 5e-324, Number.MAX_VALUE],
  ['βitcoin 🪙 "x" \'y\'', '2024-02-29T12:00:00Z', 9007199254740994, 1e-11],
  ['', '1969-12-31T23:59:59Z', null, null],
  ['null', '2024-12-31T23:00:00Z', 1 / 3],
]
const ODD_COINS = [
  ['zcash', '9007199254740993', 'true', '{"é":1}'],
  ['amp', null, null, null],
  ['𝒳-coin', '-1', 'false', '"'],
]

/** The one suite that every publication passes. */
export function publicationConformance(under: PublicationUnderTest): void {
  describe(`publication ${under.kind}`, () => {
    let root = ''
    let store: SampleStore
    let publication: Publication

    beforeEach(async () => {
      ;({ root, store, publication } = await openSample(under.kind))
    })

    async function expectEqualToStore(): Promise<number> {
      const rows = await expectStored(store, (table) => under.readBack(root, table))
      // The table that says the least of itself must not be behind after any of this.
      for (const newest of newestTablesOf(sampleTables)) {
        const meant = newestSql(newest, newest.source.name)
        const found = await store.connection.runAndReadAll(rowsSql(newest.table, `(${meant})`))
        const expected = found.getRows().map((row) => JSON.stringify(row.map(exactText)))
        const published = await under.readBack(root, newest.table)
        expect(published.toSorted()).toEqual(expected.toSorted())
      }
      return rows
    }

    test('an empty store is published as empty', async () => {
      const report = await publication.publish(RUN)
      const name = under.kind === 'duckdb' ? 'duckdb' : 'parquet'
      expect(report).toMatchObject({ publication: name, changed: true, rows: 0 })
      await expectEqualToStore()
      expect((await publication.publish(RUN)).changed).toBe(false)
    })

    test('nulls, extreme doubles, unicode, month borders come back bit by bit', async () => {
      await store.load({ points: ODD_POINTS, coins: ODD_COINS })
      const report = await publication.publish(RUN)
      expect(await expectEqualToStore()).toBe(ODD_POINTS.length + ODD_COINS.length)
      expect(report.rows).toBe(ODD_POINTS.length + ODD_COINS.length)
      expect(report.sizeBytes).toBeGreaterThan(0)
    })

    test('2,049 rows arrive whole and sorted', async () => {
      await store.run(
        `INSERT INTO market_chart SELECT 'coin-' || (i % 3), 'usd', '1h', ts, ts, i / 3, NULL, i, DATE '2024-03-01',
           false, ts, 's', 1, false
         FROM (SELECT i, TIMESTAMPTZ '2024-03-01 00:00:00Z' + INTERVAL (i) MINUTE AS ts
               FROM range(2049) r(i)) ORDER BY hash(i)`,
      )
      await store.run(`INSERT INTO _partitions VALUES ('market_chart', '2024-03', 1)`)
      await store.run("INSERT INTO _loads VALUES (1, 'run', now(), 1, 0, 0, 0, 0, 0, '0.1.0')")
      expect((await publication.publish(RUN)).rows).toBe(2049)
      // One month: the order of the file is the order of the table.
      expect(await under.readBack(root, chart)).toEqual(await storeRows(store.connection, chart))
    })

    test('publishing again without a change touches no file', async () => {
      await store.load({ points: ODD_POINTS, coins: ODD_COINS })
      const first = await publication.publish(RUN)
      const before = await under.fingerprint(root)
      await new Promise((resolve) => setTimeout(resolve, 20))
      const again = await publication.publish({ ...RUN, runId: 'other', publishedAtMs: 1.8e12 })
      expect(again).toMatchObject({
        changed: false,
        rows: first.rows,
        files: first.files,
        sizeBytes: first.sizeBytes,
      })
      expect(await under.fingerprint(root)).toEqual(before)
    })

    test('two publications at once wait for each other', async () => {
      await store.load({ points: ODD_POINTS })
      const twin = publicationOf(under.kind, root, store.connection)
      const reports = await Promise.all([publication.publish(RUN), twin.publish(RUN)])
      expect(reports.map((report) => report.changed)).toEqual([true, false])
      await expectEqualToStore()
    })

    test('rows that a later load adds, changes or takes away are published', async () => {
      await store.load({ points: ODD_POINTS })
      await publication.publish(RUN)
      await store.load({ points: [['bitcoin', '2024-02-02T00:00:00Z', 1]], coins: ODD_COINS })
      await store.empty('2024-12')
      expect((await publication.publish(RUN)).changed).toBe(true)
      expect(await expectEqualToStore()).toBe(ODD_POINTS.length + ODD_COINS.length)
      expect((await publication.publish(RUN)).changed).toBe(false)
    })

    test.each([...CRASH_POINTS, ...(under.moreCrashPoints ?? [])])(
      'killed at %s, the next publication is right',
      async (point) => {
        await store.load({ points: ODD_POINTS, coins: ODD_COINS })
        await publication.publish(RUN)
        const published = await under.readBack(root, coins)
        await store.load({ points: [['amp', '2024-01-05T00:00:00Z', 2]], coins: [['new', '1']] })
        store.close()

        const log = join(root, 'crash.log')
        const env = { COINLAKE_CRASH_AT: point, COINLAKE_CRASH_LOG: log }
        const child = await runChild('publish-child.ts', [under.kind, root], env)
        expect(child).toMatchObject({ signal: 'SIGKILL' })
        expect(await readFile(log, 'utf8')).toContain(point.split(':')[0])
        // Readers find whole tables now: the old rows or the new ones.
        const between = await under.readBack(root, coins)
        expect([published.length, published.length + 1]).toContain(between.length)

        ;({ store, publication } = await openSample(under.kind, root))
        expect((await publication.publish(RUN)).changed).toBe(true)
        expect(await expectEqualToStore()).toBe(ODD_POINTS.length + ODD_COINS.length + 2)
        expect(await under.leftovers(root)).toEqual([])
        expect((await publication.publish(RUN)).changed).toBe(false)
      },
    )

    test('a failed publication is a SinkError and leaves the old one and the store usable', async () => {
      await store.load({ points: ODD_POINTS, coins: ODD_COINS })
      await publication.publish(RUN)
      const before = await under.fingerprint(root)
      await store.load({ points: [['late', '2025-01-05T00:00:00Z', 2]], coins: [['late', '1']] })
      await store.run('ALTER TABLE coins RENAME COLUMN rank TO moved')
      await store.run('ALTER TABLE _contents RENAME COLUMN changed_by TO moved')
      await expect(publication.publish(RUN)).rejects.toMatchObject({
        name: 'SinkError',
        code: 'PUBLISH_FAILED',
      })
      expect(await under.leftovers(root)).toEqual([])
      expect(await under.fingerprint(root)).toEqual(before)
      await store.run('ALTER TABLE coins RENAME COLUMN moved TO rank')
      await store.run('ALTER TABLE _contents RENAME COLUMN moved TO changed_by')
      expect((await publication.publish(RUN)).changed).toBe(true)
      await expectEqualToStore()
    })
  })
}
