import { chmod, open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Publication } from '../../../sinks/publication.ts'
import { publicationConformance } from './publication-conformance.ts'
import { runChild } from './run-child.ts'
import { openSample, RUN } from './sample-publication.ts'
import { rowsSql, type SampleStore } from './sample-store.ts'
import { holdFile } from '../../parts/hold-file.ts'

async function versions(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'duckdb')).catch(() => [])
  return names.filter((name) => name.endsWith('.duckdb')).sort()
}

async function read(file: string, sql: string): Promise<string[]> {
  const child = await runChild('read-duckdb-child.ts', [file, sql])
  if (child.stderr !== '') throw new Error(child.stderr)
  return child.stdout.split('\n').filter((line) => line !== '')
}

publicationConformance({
  kind: 'duckdb',
  readBack: (root, table) => {
    const relation = table.name.replace(/^(.*)_newest$/, 'newest.$1')
    return read(join(root, 'coinlake.duckdb'), rowsSql(table, relation))
  },
  async fingerprint(root) {
    const link = await readlink(join(root, 'coinlake.duckdb'))
    const { ino, mtimeMs } = await stat(join(root, link))
    return [`${link} ${ino} ${mtimeMs}`]
  },
  async leftovers(root) {
    const names = [...(await readdir(join(root, 'duckdb'))), ...(await readdir(root))]
    return names.filter((name) => name.includes('.tmp'))
  },
})

describe('the published DuckDB file', () => {
  let root = ''
  let link = ''
  let store: SampleStore
  let publication: Publication

  beforeEach(async () => {
    ;({ root, store, publication } = await openSample('duckdb'))
    link = join(root, 'coinlake.duckdb')
    await store.load({ points: [['bitcoin', '2024-01-01T00:00:10Z', 1]] })
  })

  const loadOne = (day: number): Promise<void> =>
    store.load({ points: [['bitcoin', `2024-01-0${day}T00:00:10Z`, day]] })

  test('is copied in a process group of its own, which Ctrl-C at the terminal does not reach', async () => {
    const ownGroup = `#!/bin/sh\n[ $(ps -o pgid= -p $$) -eq $$ ] && exec /bin/cp "$@"\n`
    await writeFile(join(root, 'cp'), ownGroup, { mode: 0o755 })
    vi.stubEnv('PATH', `${root}:${process.env['PATH']}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await publication.publish(RUN)).toMatchObject({ changed: true })
  })

  test('is storage version v1.0.0, read-only, behind a relative link', async () => {
    await publication.publish(RUN)
    const target = await readlink(link)
    expect(target).toMatch(/^duckdb\/coinlake-20240601T000000-[0-9a-f]{8}\.duckdb$/)
    expect((await stat(link)).mode & 0o777).toBe(0o444)
    const handle = await open(link, 'r')
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 12)
    await handle.close()
    expect([...buffer]).toEqual([0x40, 0, 0, 0])
    expect(await readdir(join(root, 'duckdb'))).toEqual([
      basename(target),
      `${basename(target)}.json`,
    ])
  })

  test('says of itself what it is', async () => {
    await publication.publish(RUN)
    const [row] = await read(
      link,
      'SELECT run_id, epoch_ms(published_at)::VARCHAR, coinlake_version, schema_version::VARCHAR, load_id::VARCHAR FROM _published',
    )
    expect(row).toBe('["0190abcd-run","1717200000000","0.1.0","1","1"]')
  })

  test('a pooled reader of one process sees the new data at its next connection', async () => {
    await publication.publish(RUN)
    const connect = async (): Promise<DuckDBConnection> =>
      (await DuckDBInstance.fromCache(link, { access_mode: 'READ_ONLY' })).connect()
    const count = async (connection: DuckDBConnection): Promise<unknown> =>
      (
        await connection.runAndReadAll('SELECT count(*)::INTEGER FROM market_chart')
      ).getRows()[0]?.[0]
    const before = await connect()
    await loadOne(2)
    await publication.publish(RUN)
    const after = await connect()
    expect([await count(before), await count(after)]).toEqual([1, 2])
    before.closeSync()
    after.closeSync()
  })

  test('the last three versions stay, and no name is used twice', async () => {
    const seen = new Set<string>()
    for (let day = 2; day <= 6; day += 1) {
      await loadOne(day)
      await publication.publish(RUN)
      seen.add(await readlink(link))
    }
    expect(seen.size).toBe(5)
    const left = await versions(root)
    expect(left).toHaveLength(3)
    expect(left).toContain(basename(await readlink(link)))
    const facts = (await readdir(join(root, 'duckdb'))).filter((name) => name.endsWith('.json'))
    expect(facts).toHaveLength(3)
  })

  test.each(['deleted', 'truncated'])('a version that was %s is made again', async (damage) => {
    await publication.publish(RUN)
    const file = join(root, await readlink(link))
    await rm(file)
    if (damage === 'truncated') await writeFile(file, 'x')
    expect((await publication.publish(RUN)).changed).toBe(true)
    expect(await read(link, 'SELECT count(*)::VARCHAR FROM market_chart')).toEqual(['["1"]'])
  })

  test.each(['beside the link', 'beside the version'])(
    'a foreign .wal %s is moved aside with a warning',
    async (place) => {
      await publication.publish(RUN)
      const wal = `${place === 'beside the link' ? link : join(root, await readlink(link))}.wal`
      await writeFile(wal, 'somebody wrote here')
      const report = await publication.publish(RUN)
      expect(report.changed).toBe(false)
      expect(report.warnings).toHaveLength(1)
      expect(report.warnings?.[0]).toContain(wal)
      expect(await readFile(`${wal}.aside`, 'utf8')).toBe('somebody wrote here')
      await expect(stat(wal)).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )

  test('what a killed writer left in the published file is neither replayed nor kept', async () => {
    await publication.publish(RUN)
    await chmod(link, 0o644)
    const insert = 'INSERT INTO _published SELECT * FROM _published'
    expect(await runChild('write-duckdb-child.ts', [link, insert])).toMatchObject({
      signal: 'SIGKILL',
    })
    await loadOne(2)
    const report = await publication.publish(RUN)
    expect(report.warnings).toHaveLength(1)
    expect(await read(link, 'SELECT load_id::VARCHAR FROM _published')).toEqual(['["2"]'])
  })

  test('a version that somebody wrote to is made again', async () => {
    await publication.publish(RUN)
    await chmod(link, 0o644)
    const spoil = `UPDATE _published SET run_id = 'mine'; CHECKPOINT`
    await runChild('write-duckdb-child.ts', [link, spoil])
    expect((await publication.publish(RUN)).changed).toBe(true)
    expect(await read(link, 'SELECT run_id FROM _published')).toEqual(['["0190abcd-run"]'])
  })

  test('a version that a program has open for writing is published anew, so that readers get in', async () => {
    await publication.publish(RUN)
    const held = join(root, await readlink(link))
    await chmod(held, 0o644)
    const holder = await holdFile(held)
    await expect(read(link, 'SELECT 1')).rejects.toThrow(/lock/)
    const report = await publication.publish(RUN)
    expect(report).toMatchObject({ changed: true })
    expect(report.warnings).toHaveLength(1)
    expect(report.warnings?.[0]).toContain(`${held} is open for writing`)
    expect(await read(link, 'SELECT count(*)::VARCHAR FROM market_chart')).toEqual(['["1"]'])
    await holder.release()
    expect(await publication.publish(RUN)).toMatchObject({ changed: false })
  })

  test('a file in the place of the link is left as it is', async () => {
    await writeFile(link, 'mine')
    await expect(publication.publish(RUN)).rejects.toMatchObject({
      name: 'SinkError',
      code: 'PUBLISH_TARGET_FOREIGN',
      exitCode: 5,
    })
    expect(await readFile(link, 'utf8')).toBe('mine')
    expect(await versions(root)).toEqual([])
  })

  test('a file in the place of the folder is left as it is', async () => {
    await writeFile(join(root, 'duckdb'), 'mine')
    await expect(publication.publish(RUN)).rejects.toMatchObject({ code: 'PUBLISH_TARGET_FOREIGN' })
    expect(await readFile(join(root, 'duckdb'), 'utf8')).toBe('mine')
  })
})
