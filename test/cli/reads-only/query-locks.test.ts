import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openPublishedFile } from '../../../service/warehouse/open-published-file.ts'
import { expectBareRefusal } from '../refusal.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { tinyWarehouse } from '../../parts/tiny-warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const kinds = ['duckdb', 'parquet'] as const
const warehouses = {
  duckdb: await tinyWarehouse('duckdb', afterAll),
  parquet: await tinyWarehouse('parquet', afterAll),
}
const dir = tempDir(afterAll)
writeFileSync(join(dir, 'own.csv'), 'coin_id,weight\nbitcoin,2\n')

const CONFIG = 'source: { base_url: "http://127.0.0.1:9" }\ndatasets: { coins: {} }\n'

test('a configured warehouse may be a published file', async () => {
  const cwd = tempDir()
  const file = join(cwd, 'coinlake.duckdb')
  copyFileSync(warehouses.duckdb.duckdbLink, file)
  writeFileSync(join(cwd, 'coinlake.yaml'), `warehouse: ${file}\n${CONFIG}`)
  const asked = await runCaptured(['query', 'select 1 as n', '-o', 'stage.csv'], { cwd })
  expect(asked).toMatchObject({ exitCode: 0 })
  expect((await runCaptured(['prune'], { cwd })).stderr).toContain('error[WAREHOUSE_IS_FILE]')
})

test('an answer from a published file that is named replaces no file of coinlake', async () => {
  const { root, stateDir, storeFile, duckdbLink } = warehouses.duckdb
  const copy = join(dir, 'copy.duckdb')
  copyFileSync(duckdbLink, copy)
  mkdirSync(stateDir, { recursive: true })
  writeFileSync(storeFile, 'kept')
  const places = [storeFile, duckdbLink, `${duckdbLink}.wal`, join(root, 'delta', 'coins')]
  for (const [file, target] of [...places.map((place) => [duckdbLink, place]), [copy, copy]]) {
    const asked = await runCaptured([
      'query',
      '-w',
      file!,
      'select 1 as n',
      '-f',
      'csv',
      '-o',
      target!,
    ])
    expect({ target, stderr: asked.stderr }).toEqual({
      target,
      stderr: expect.stringContaining('error[OUTPUT_IN_WAREHOUSE]') as string,
    })
  }
})

describe.each(kinds)('over a %s publication', (kind) => {
  const query = (sql: string, ...more: string[]) =>
    runCaptured(['query', '-w', warehouses[kind].root, sql, ...more])

  test('files of a folder that --allow-dir names are read, and not written', async () => {
    const allow = ['--allow-dir', dir]
    const found = await query(`select weight from '${dir}/*.csv' join coins using (coin_id)`)
    expect(found.stderr).toContain('error[SQL_OUTSIDE]')
    expect(found.stderr).toContain('--allow-dir DIR')
    expect(await query(`select weight from '${dir}/*.csv'`, ...allow)).toMatchObject({
      exitCode: 0,
      stdout: 'weight\n2\n',
    })
    const copied = await query(
      `copy coins to '${dir}/own.csv' (format csv, use_tmp_file false)`,
      ...allow,
    )
    expectBareRefusal(copied, {
      exit: 2,
      code: 'SQL_READS_ONLY',
      says: 'COPY',
      hint: '-o FILE',
    })
    expect(readFileSync(join(dir, 'own.csv'), 'utf8')).toBe('coin_id,weight\nbitcoin,2\n')
    const none = await query('select 1', '--allow-dir', join(dir, 'own.csv'))
    expectBareRefusal(none, { exit: 2, code: 'NO_SUCH_FOLDER', says: 'own.csv', hint: 'folder' })
  })

  test.each([
    [
      `SET TimeZone = 'Asia/Tokyo'; SELECT TIMESTAMPTZ '2024-07-01 00:00:00+00' AS t`,
      't\n2024-07-01T09:00:00.000+09:00\n',
    ],
    [`SET VARIABLE n = 3; SELECT getvariable('n') AS n`, 'n\n3\n'],
    [
      `CREATE TEMP TABLE x AS SELECT 1 AS a; INSERT INTO x VALUES (2); SELECT sum(a)::INT AS s FROM x`,
      's\n3\n',
    ],
    [`CREATE TEMP MACRO twice(x) AS x * 2; SELECT twice(4) AS v -- ;`, 'v\n8\n'],
    [`SET threads = 1; /* ; */ SELECT E'\\';' AS s`, `s\n';\n`],
    [
      `SELECT count(*) > 0 AS has FROM (PIVOT coins ON coin_id IN ('bitcoin') USING count(*))`,
      'has\ntrue\n',
    ],
  ])('%s', async (sql, stdout) => {
    expect(await query(sql)).toMatchObject({ exitCode: 0, stdout, stderr: '' })
  })

  test('an answer replaces no file that coinlake keeps', async () => {
    const paths = warehouses[kind]
    mkdirSync(paths.stateDir, { recursive: true })
    const link = join(dir, `state-of-${kind}`)
    symlinkSync(paths.stateDir, link)
    const keptFile = join(paths.stateDir, 'kept')
    writeFileSync(keptFile, 'kept')
    const toKept = join(dir, `kept-of-${kind}`)
    symlinkSync(keptFile, toKept)
    const links = [paths.duckdbLink, paths.parquetLink, toKept]
    const kept = [paths.storeFile, join(link, 'store.duckdb'), ...links]
    for (const target of [...kept, join(paths.parquetLink, 'coins', 'all.parquet')]) {
      const { exitCode, stderr } = await query('select 1 as n', '-o', target)
      expect({ target, exitCode }).toEqual({ target, exitCode: 2 })
      expect(stderr).toContain('error[OUTPUT_IN_WAREHOUSE]')
    }
    expect(readFileSync(keptFile, 'utf8')).toBe('kept')
    const report = await runCaptured(['dbt', 'sources', '-w', paths.root, '-o', paths.storeFile])
    expect(report.stderr).toContain('error[OUTPUT_IN_WAREHOUSE]')
    const beside = join(paths.root, 'mine.csv')
    expect((await query('select 1 as n', '-o', beside)).exitCode).toBe(0)
    rmSync(beside)
  })

  test('a statement that hides behind another is not run', async () => {
    const target = join(dir, 'hidden.csv')
    const hidden = `COPY (SELECT 1) TO '${target}' (FORMAT csv, USE_TMP_FILE false)`
    const log = `enable_logging('QueryLog', storage='file', storage_config={'path':'${dir}/log/'})`
    const serialized = `json_serialize_sql('SELECT * FROM ${log.replaceAll("'", "''")}')`
    const before = readdirSync(dir)
    for (const sql of [
      `SELECT 'a' LIKE'\\'; ${hidden}`,
      `SELECT 1 --\r; ${hidden}`,
      `SELECT 1 AS a$b$; ${hidden}; SELECT 1 AS c$b$`,
      `SELECT 1 --\r; EXPLAIN ANALYZE ${hidden}`,
      `SELECT 1 --\r; CALL ${log}`,
      `PIVOT (SELECT 1 AS x FROM ${log}) ON x USING count(*)`,
      `FROM (PIVOT (SELECT 1 AS x FROM ${log}) ON x USING count(*))`,
      `FROM json_execute_serialized_sql(${serialized})`,
      `PRAGMA json_execute_serialized_sql(${serialized})`,
      `FROM query('FROM json_execute_serialized_sql(${serialized.replaceAll("'", "''")})')`,
    ]) {
      const { exitCode, stderr } = await query(sql, '--allow-dir', dir)
      expect({ sql, exitCode }).toEqual({ sql, exitCode: 2 })
      expect(stderr).toMatch(/error\[SQL_(?:NOT_ONE|READS_ONLY|ERROR)\]/)
      expect({ sql, files: readdirSync(dir) }).toEqual({ sql, files: before })
    }
  })

  test('a PIVOT with IN and an EXPLAIN ANALYZE of a SELECT run', async () => {
    expect((await query(`PIVOT coins ON coin_id IN ('bitcoin') USING count(*)`)).exitCode).toBe(0)
    const plan = await query('EXPLAIN ANALYZE FROM coins', '-f', 'table')
    expect(plan.stdout).toContain('Total Time')
  })

  test('what does not fit into memory goes to disk', async () => {
    const sql = `SET memory_limit = '100MB'; SET threads = 1;
      SELECT max(t)[1:1] AS t FROM (SELECT range::VARCHAR || repeat('x', 100) AS t FROM range(3000000) ORDER BY hash(range))`
    expect(await query(sql)).toMatchObject({ exitCode: 0, stdout: 't\n9\n' })
  })

  test.each([
    ["ATTACH ':memory:' AS m", 'SQL_READS_ONLY'],
    ["SET temp_directory = '/tmp'", 'SQL_SETTING'],
    ["FROM read_text('/etc/hostname')", 'SQL_OUTSIDE'],
    ["EXPLAIN ANALYZE COPY coins TO '/tmp/x.csv'", 'SQL_OUTSIDE'],
    ["FROM enable_logging(storage = 'file', storage_path = '/tmp')", 'SQL_READS_ONLY'],
  ])('%s is refused: %s', async (sql, code) => {
    const { exitCode, stderr } = await query(sql)
    expect({ exitCode, code: /error\[(\w+)\]/.exec(stderr)?.[1] }).toEqual({ exitCode: 2, code })
    expect(stderr).toContain('hint: ')
  })
})

test('IMPORT and PRAGMA are refused by name, whatever lies where they look', async () => {
  const argv = ['query', '-w', warehouses.duckdb.root, '--allow-dir', dir]
  const files = { empty: ['', ''], whole: ['CREATE TABLE t (a INT);', 'SELECT 1; SELECT 2;'] }
  for (const [name, [schema, load]] of Object.entries(files)) {
    mkdirSync(join(dir, name), { recursive: true })
    writeFileSync(join(dir, name, 'schema.sql'), schema!)
    writeFileSync(join(dir, name, 'load.sql'), load!)
  }
  for (const [sql, says] of [
    ...['empty', 'whole', 'none'].map((one) => [`IMPORT DATABASE '${dir}/${one}'`, 'IMPORT']),
    [`SELECT 1; IMPORT DATABASE '/etc'`, 'IMPORT DATABASE'],
    [`PRAGMA import_database('${dir}/empty')`, 'PRAGMA IMPORT_DATABASE'],
    ['PRAGMA version', 'PRAGMA VERSION'],
    ['PRAGMA no_such_pragma', 'PRAGMA NO_SUCH_PRAGMA'],
    ['EXPLAIN PRAGMA version', 'EXPLAIN PRAGMA'],
  ]) {
    const { exitCode, stdout, stderr } = await runCaptured([...argv, sql!])
    expect({ sql, exitCode, stdout }).toEqual({ sql, exitCode: 2, stdout: '' })
    expect(stderr).toMatch(/^error\[SQL_READS_ONLY\]/)
    expect(stderr).toContain(`only reads: ${says}`)
  }
})

test('a view in a file from elsewhere reads nothing outside of it', async () => {
  const file = join(dir, 'foreign.duckdb')
  await askDuckdb(file, `CREATE VIEW coins AS FROM read_text('${dir}/own.csv')`)
  const instance = await openPublishedFile(file)
  const connection = await instance.connect()
  await expect(connection.runAndReadAll('FROM coins')).rejects.toThrow('disabled by configuration')
  connection.closeSync()
  instance.closeSync()
})
