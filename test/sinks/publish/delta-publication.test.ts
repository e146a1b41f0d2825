import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { columnComment, storedColumns } from '../../../datasets/table/ddl.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { filesAt } from '../../../sinks/publish-delta/folder-files.ts'
import { deltaConformance } from './delta-conformance.ts'
import { deltaAt } from './publication-of.ts'
import { deltaFiles, manifestOf, orphansIn, readDeltaTable } from './read-delta.ts'
import { expectStored, openSample, RUN } from './sample-publication.ts'
import { chart, type SampleStore } from './sample-store.ts'

const HOUR_MS = 3_600_000

deltaConformance('delta', (root) => join(root, 'delta'))

describe('Delta tables', () => {
  let root = ''
  let place = ''
  let store: SampleStore
  let publication: Publication
  let hour = 0

  beforeEach(async () => {
    ;({ root, store, publication } = await openSample('delta'))
    place = join(root, 'delta')
    hour = 0
    await store.load({
      points: [
        ['bitcoin', '2024-01-01T00:00:00Z', 1],
        ['bitcoin', '2024-02-01T00:00:00.123456Z', 2],
      ],
      coins: [['bitcoin', '1', 'true', null]],
    })
    await publish()
  })

  /** Publishes some hours after the last time. */
  async function publish(hours = 1) {
    hour += hours
    return await publication.publish({ ...RUN, publishedAtMs: RUN.publishedAtMs + hour * HOUR_MS })
  }
  const loadAndPublish = async (coin: string, hours?: number) => {
    await store.load({ points: [[coin, '2024-02-03T00:00:00Z', 3]] })
    return await publish(hours)
  }
  const entries = async (table: string, version: number) => {
    const name = `${table}/_delta_log/${String(version).padStart(20, '0')}.json`
    const lines = String(await filesAt(place).read(name))
      .trim()
      .split('\n')
    return lines.map((line) => JSON.parse(line))
  }
  const namesOf = async (start: string) =>
    (await filesAt(place).list(start)).map(({ name }) => name.slice(start.length))
  const expectEqualToStore = () => expectStored(store, (table) => readDeltaTable(place, table))

  test('the first entry of a log: oldest protocol, columns with comments, files with what they hold', async () => {
    const [info, protocol, { metaData }, ...adds] = await entries('market_chart', 0)
    expect(info.commitInfo).toMatchObject({ operation: 'WRITE', engineInfo: 'coinlake/0.1.0' })
    expect(protocol).toEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } })
    expect(metaData).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: 'market_chart',
      description: chart.description,
      format: { provider: 'parquet', options: {} },
      partitionColumns: [],
      configuration: {
        'delta.checkpointInterval': '50',
        'delta.deletedFileRetentionDuration': 'interval 1 days',
        'delta.logRetentionDuration': 'interval 1 days',
      },
      createdTime: RUN.publishedAtMs + hour * HOUR_MS,
    })
    const { fields } = JSON.parse(metaData.schemaString)
    expect(fields).toEqual(
      storedColumns(chart).map((column) => ({
        name: column.name,
        type: expect.stringMatching(/^(?:string|double|long|boolean|timestamp|date)$/),
        nullable: true,
        metadata: { comment: columnComment(column) },
      })),
    )
    const february = adds.find(({ add }) => add.path.startsWith('2024-02')).add
    expect(february.path).toMatch(/^2024-02-[0-9a-f]{16}\.parquet$/)
    expect(JSON.parse(february.stats)).toEqual({
      numRecords: 1,
      minValues: expect.objectContaining({ coin_id: 'bitcoin', ts: '2024-02-01T00:00:00.123Z' }),
      // The next whole millisecond: a bound may be too large and not too small.
      maxValues: expect.objectContaining({ coin_id: 'bitcoin', ts: '2024-02-01T00:00:00.124Z' }),
      nullCount: { ts: 0, coin_id: 0, vs_currency: 0, granularity: 0 },
    })
  })

  test('a publication commits to the tables that changed, and the manifest says which versions are one moment', async () => {
    const before = await manifestOf(place)
    expect(await loadAndPublish('amp')).toMatchObject({ path: place, changed: true, rows: 4 })
    const { tables, version, files } = await manifestOf(place)
    expect(version).toBe(2)
    const versions = Object.entries(tables).map(([name, table]) => [name, table.version])
    expect(Object.fromEntries(versions)).toEqual({
      market_chart: 1,
      coins: 0,
      market_chart_newest: 1,
    })
    const january = (one: { month: string }) => one.month === '2024-01'
    expect(files.find(january)).toEqual(before.files.find(january))
    const commit = await entries('market_chart', 1)
    expect(commit.flatMap((entry) => Object.keys(entry))).toEqual(['commitInfo', 'remove', 'add'])
    expect(await readDeltaTable(place, chart, 0)).toHaveLength(2)
    expect([...(await deltaFiles(place, 'market_chart')).keys()].toSorted()).toEqual(
      files
        .filter(({ table }) => table === 'market_chart')
        .map(({ path }) => path)
        .toSorted(),
    )
  })

  test('others may read each folder and file, as far as the umask allows', async () => {
    const names = await readdir(place, { recursive: true })
    const modes = await Promise.all(names.map(async (name) => (await stat(join(place, name))).mode))
    expect(names).toContain('coins/_delta_log')
    expect(new Set(modes.map((mode) => mode & 0o44))).toEqual(new Set([0o44 & ~process.umask()]))
  })

  test('what a version names stays for a day and two publications after the next one', async () => {
    const old = await manifestOf(place)
    const [february] = old.files.filter(({ month }) => month === '2024-02')
    const isThere = async () => (await filesAt(place).read(february!.path)) !== null
    await loadAndPublish('amp')
    await loadAndPublish('zcash', 23)
    expect(await readDeltaTable(place, chart, 0)).toHaveLength(2)
    await loadAndPublish('monero', 1)
    expect([await isThere(), await orphansIn(place)]).toEqual([false, []])
    // Rare publications: a day has passed, two publications have not.
    const [replaced] = (await manifestOf(place)).files.filter(({ month }) => month === '2024-02')
    await loadAndPublish('dash', 100)
    await loadAndPublish('doge', 100)
    expect(await filesAt(place).read(replaced!.path)).not.toBeNull()
    await loadAndPublish('ripple', 100)
    expect(await filesAt(place).read(replaced!.path)).toBeNull()
    await expectEqualToStore()
  })

  test('what two publishers in a row have replaced, killed before the manifest, stays as long', async () => {
    const manifest = String(await filesAt(place).read('manifest.json'))
    for (const coin of ['amp', 'zcash']) {
      await loadAndPublish(coin)
      await filesAt(place).write('manifest.json', manifest)
    }
    await loadAndPublish('dash')
    expect(await readDeltaTable(place, chart, 0)).toHaveLength(2)
    expect(await readDeltaTable(place, chart, 1)).toHaveLength(3)
    expect(await readDeltaTable(place, chart, 2)).toHaveLength(4)
    await expectEqualToStore()
    expect(await orphansIn(place)).toEqual([])
  })

  test('a checkpoint each 50 commits, from which a reader and a publisher without a manifest begin; the log before goes a day later', async () => {
    const loadCoin = async (coin: string, hours: number) => {
      await store.load({ coins: [[coin]] })
      await publish(hours)
    }
    for (let coin = 0; coin < 51; coin++) await loadCoin(`coin-${coin}`, 0)
    const log = 'coins/_delta_log/'
    const last = '00000000000000000050.checkpoint.parquet'
    expect(await namesOf(log)).toEqual(expect.arrayContaining([last, '_last_checkpoint']))
    expect(JSON.parse(String(await filesAt(place).read(`${log}_last_checkpoint`)))).toMatchObject({
      version: 50,
    })
    await expectEqualToStore()
    await loadCoin('later', 24)
    const left = (await namesOf(log)).toSorted()
    expect(left[0]).toBe(last)
    expect(left).toHaveLength(5)
    await filesAt(place).remove(['manifest.json'])
    expect((await publish()).changed).toBe(true)
    await expectEqualToStore()
    expect((await publish()).changed).toBe(false)
  })

  test('what another program has committed is taken back', async () => {
    const stray = 'coins/part-0.parquet'
    const [own] = [...(await deltaFiles(place, 'coins')).keys()]
    await filesAt(place).write(stray, (await filesAt(place).read(own!))!)
    const add = { path: 'part-0.parquet', partitionValues: {}, size: 1, modificationTime: 0 }
    const name = 'coins/_delta_log/00000000000000000001.json'
    await filesAt(place).write(name, JSON.stringify({ add: { ...add, dataChange: true } }))
    expect((await publish()).changed).toBe(true)
    await expectEqualToStore()
    expect((await publish()).changed).toBe(false)
  })

  test('columns that another program set are set back, a newer protocol is refused', async () => {
    const columns = 'coins/_delta_log/00000000000000000001.json'
    await filesAt(place).write(columns, JSON.stringify({ metaData: { schemaString: '{}' } }))
    expect((await publish()).changed).toBe(true)
    const kinds = (await entries('coins', 2)).flatMap((entry) => Object.keys(entry))
    expect(kinds).toEqual(['commitInfo', 'metaData'])
    expect((await publish()).changed).toBe(false)
    const protocol = { minReaderVersion: 3, minWriterVersion: 7 }
    await filesAt(place).write(columns.replace(/1\.json$/, '3.json'), JSON.stringify({ protocol }))
    await expect(publish()).rejects.toMatchObject({
      code: 'PUBLISH_TARGET_FOREIGN',
      message: expect.stringContaining('the Delta table coins to reader 3'),
    })
  })

  test('a table that is not published any more stays as it is', async () => {
    const without = deltaAt(place, root, store.connection, { tables: [chart] })
    await store.load({ points: [['amp', '2024-02-03T00:00:00Z', 3]] })
    expect((await without.publish(RUN)).changed).toBe(true)
    expect((await without.publish(RUN)).changed).toBe(false)
    await expectEqualToStore()
  })

  test('a log that is not whole is refused, and begun anew when it was removed', async () => {
    const first = 'coins/_delta_log/00000000000000000000.json'
    await filesAt(place).write(first.replace(/0\.json$/, '2.json'), '{}')
    await expect(publish()).rejects.toMatchObject({
      code: 'PUBLISH_TARGET_FOREIGN',
      message: expect.stringContaining('00000000000000000001.json is missing'),
    })
    await filesAt(place).remove([first, first.replace(/0\.json$/, '2.json')])
    expect((await publish()).changed).toBe(true)
    await expectEqualToStore()
    expect((await manifestOf(place)).tables['coins']?.version).toBe(0)
  })

  test('a table that coinlake did not begin is refused before any commit; one of another name is ignored', async () => {
    await rm(place, { recursive: true })
    const theirs = 'coins/_delta_log/00000000000000000000.json'
    const add = {
      path: 'part-0%251.parquet',
      partitionValues: {},
      size: 1,
      modificationTime: 0,
      dataChange: true,
    }
    await filesAt(place).write(theirs, JSON.stringify({ add }))
    const newer = { protocol: { minReaderVersion: 3, minWriterVersion: 7 } }
    await filesAt(place).write(theirs.replace('coins', 'other'), JSON.stringify(newer))
    await expect(publish()).rejects.toMatchObject({
      code: 'PUBLISH_TARGET_FOREIGN',
      message: expect.stringContaining('coins'),
    })
    const logs = (await namesOf('')).filter((name) => name.endsWith('.json'))
    expect(logs.toSorted()).toEqual([theirs, theirs.replace('coins', 'other')])
    await filesAt(place).remove([theirs])
    await publish()
    await expectEqualToStore()
  })

  test('a bucket of an older coinlake is taken over; its files stay for a day', async () => {
    const { tables: _, ...manifest } = await manifestOf(place)
    const old = manifest.files.map((file) => {
      return { ...file, path: `versions/1-01234567/${file.table}/${file.month}.parquet` }
    })
    await rm(place, { recursive: true })
    for (const { path } of old) await filesAt(place).write(path, 'as it was')
    const asItWas = { ...manifest, files: old, retired: [] }
    await filesAt(place).write('manifest.json', JSON.stringify(asItWas))
    await publish()
    await expectEqualToStore()
    const isThere = async () =>
      (await namesOf('versions/1-01234567/')).filter((name) => name.endsWith('.parquet')).length
    expect(await isThere()).toBe(old.length)
    await loadAndPublish('amp', 12)
    expect(await isThere()).toBe(old.length)
    await loadAndPublish('zcash', 12)
    await loadAndPublish('dash', 1)
    expect([await isThere(), await orphansIn(place)]).toEqual([0, []])
  })
})
