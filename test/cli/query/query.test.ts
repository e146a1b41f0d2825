import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { queryError } from '../../../cli/query/query-error.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { tinyWarehouse } from '../../parts/tiny-warehouse.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { askDuckdb } from '../../parts/duckdb.ts'

const bin = fileURLToPath(new URL('../../../bin/coinlake.js', import.meta.url))
const duckdb = await tinyWarehouse('duckdb', afterAll)
const parquet = await tinyWarehouse('parquet', afterAll)
const dir = tempDir(afterAll)

const query = (sql: string, ...more: string[]) =>
  runCaptured(['query', '-w', duckdb.root, sql, ...more])

test.each(['-- the answer\nselect 42 as n', '--the answer\nselect 42 as n'])(
  'SQL may begin with a comment: %j',
  async (sql) => {
    expect(await query(sql)).toMatchObject({ exitCode: 0, stdout: 'n\n42\n', stderr: '' })
  },
)

describe('both publications answer the same', () => {
  test.each([
    'select count(*) n, sum(price) p, min(ts) a, max(bucket_date) b from market_chart',
    'from daily_prices order by coin_id, bucket_date limit 20',
    'select count(*) n from hourly_prices',
    'from coin_markets order by ordinal',
  ])('%s', async (sql) => {
    const answers = await Promise.all(
      [duckdb, parquet].map(({ root }) => runCaptured(['query', '-w', root, sql, '-f', 'json'])),
    )
    expect(answers[0]?.exitCode).toBe(0)
    expect(JSON.parse(answers[0]?.stdout ?? '')).not.toEqual([])
    expect(answers[1]?.stdout).toBe(answers[0]?.stdout)
  })

  test('a table without files is an empty table', async () => {
    const argv = ['query', '-w', parquet.root, 'select count(*) n from exchange_rates']
    expect((await runCaptured(argv)).stdout).toBe('n\n0\n')
  })
})

describe('json', () => {
  test.each([
    ['9007199254740991::bigint', 9007199254740991],
    ['9007199254740993::bigint', '9007199254740993'],
    ['-9007199254740993::hugeint', '-9007199254740993'],
    ['18446744073709551615::ubigint', '18446744073709551615'],
    ['1.50::decimal(10, 2)', 1.5],
    ['12345678901234567.89::decimal(30, 2)', '12345678901234567.89'],
    ['-0.05::decimal(2, 2)', -0.05],
    ['0.1::double', 0.1],
    [`'-0.0'::double`, -0],
    ['1e300::double', 1e300],
    [`'nan'::double`, 'NaN'],
    [`'-infinity'::double`, '-Infinity'],
    [`timestamptz '2024-01-01 00:00:00+00'`, '2024-01-01T00:00:00.000Z'],
    [`timestamptz '1969-12-31 23:59:59.999999+00'`, '1969-12-31T23:59:59.999999Z'],
    [`timestamptz 'infinity'`, 'infinity'],
    [`timestamp '2024-01-01 10:00:00'`, '2024-01-01T10:00:00'],
    [`date '2024-02-29'`, '2024-02-29'],
    ['true', true],
    ['null', null],
    [`'a"b\\ü🚀' || chr(10)`, 'a"b\\ü🚀\n'],
    [`[timestamptz '2024-01-01 00:00:00+00', null]`, ['2024-01-01T00:00:00.000Z', null]],
    [`{'a': 1, 'b': [9007199254740993]}`, { a: 1, b: ['9007199254740993'] }],
    [`map {'x': 2}`, [{ key: 'x', value: 2 }]],
    [`'{"a": [1, 2]}'::json`, { a: [1, 2] }],
  ])('%s', async (expression, value) => {
    const { stdout, stderr } = await query(`select ${expression} as v`, '-f', 'json')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([{ v: value }])
  })

  test('no rows are an empty array, two columns of one name are told apart', async () => {
    expect((await query('from coins where false', '-f', 'json')).stdout).toBe('[]\n')
    expect((await query('from coins where false', '--json')).stdout).toBe('[]\n')
    expect(await query('select 1', '--json', '-f', 'csv')).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('"code": "USAGE"'),
    })
    expect((await query('select 1 a, 2 a', '-f', 'json')).stdout).toBe('[\n{"a":1,"a:1":2}\n]\n')
  })

  test('rows of many chunks all come, each on a line', async () => {
    const { stdout } = await query('select range i from range(5000)', '-f', 'json')
    const rows = JSON.parse(stdout) as { i: number }[]
    expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: 5000 }, (_, i) => i))
    expect(stdout.trimEnd().split('\n')).toHaveLength(5002)
  })
})

test('csv quotes what must be quoted and tells NULL from an empty text', async () => {
  const { stdout } = await query(
    `select 'a,b' as "x,y", '' e, null n, 'say "hi"' q, 'two' || chr(10) || 'lines' l, 0.1::double d, '-0.0'::double z,
     timestamptz '2024-01-01 00:00:00+00' t, [1, 2] i`,
  )
  expect(stdout).toBe(
    '"x,y",e,n,q,l,d,z,t,i\n' +
      '"a,b","",,"say ""hi""","two\nlines",0.1,-0,2024-01-01T00:00:00.000Z,"[1,2]"\n',
  )
})

describe('table', () => {
  test('aligns, numbers right, NULL shown, what a terminal obeys made visible', async () => {
    const { stdout, stderr } = await query(
      `select * from (values ('日本', 1.5::double, null), ('b' || chr(27) || '[31m', 22, 'x')) t(name, n, z)`,
      '-f',
      'table',
    )
    expect(stdout.split('\n')).toEqual([
      'name           n  z',
      '-----------  ---  ----',
      '日本         1.5  NULL',
      'b\\u001b[31m   22  x',
      '',
    ])
    expect(stderr).toBe('')
  })

  test('shows 40 rows and says that there are more; --all shows them', async () => {
    const cut = await query('select range i from range(3000)', '-f', 'table')
    expect(cut.stdout.split('\n')).toHaveLength(2 + 40 + 1)
    expect(cut.stderr).toBe('... and more rows (--all shows them)\n')
    const long = await query('from range(100000000000)', '-f', 'table')
    expect(long.stderr).toBe(cut.stderr)
    const all = await query('select range i from range(3000)', '-f', 'table', '--all')
    expect(all.stdout.split('\n')).toHaveLength(2 + 3000 + 1)
    expect(all.stderr).toBe('')
  })

  test('is what a terminal gets, with NULL dim unless NO_COLOR is set', async () => {
    const argv = ['query', '-w', duckdb.root, 'select null as n']
    const colored = await runCaptured(argv, { isTerminal: true })
    expect(colored.stdout).toContain('\u001b[2mNULL\u001b[22m')
    const plain = await runCaptured(argv, { isTerminal: true, env: { NO_COLOR: '1' } })
    expect(plain.stdout).toBe('   n\n----\nNULL\n')
  })

  test('a table wider than the terminal is drawn row by row', async () => {
    const stdout = Object.assign(new PassThrough(), { columns: 20 })
    const sql = `select 'bitcoin' as coin_id, null as roi, repeat('x', 30) as name from range(2)`
    await runCaptured(['query', '-w', duckdb.root, sql], {
      isTerminal: true,
      stdout,
      env: { NO_COLOR: '1' },
    })
    const record = ['coin_id  bitcoin', 'roi      NULL', `name     ${'x'.repeat(10)}…`]
    expect(String(stdout.read()).split('\n')).toEqual([
      '-- row 1 --',
      ...record,
      '-- row 2 --',
      ...record,
      '',
    ])
  })

  test('long cells are cut, plans are drawn as they are', async () => {
    const { stdout } = await query(`select repeat('x', 100) as v`, '-f', 'table')
    expect(stdout).toContain(`\n${'x'.repeat(59)}…\n`)
    const plan = await query('explain from coins', '-f', 'table')
    expect(plan.stdout).toMatch(/│\s+SEQ_SCAN\s+│\n/)
  })
})

test('parquet gives the values back', async () => {
  const sql = `select i::bigint b, i::hugeint h, i / 3 d, case when i % 2 = 0 then 'é' || i end s,
    i % 2 = 0 t, date '2024-01-01' + i::int dd, to_timestamp(i * 0.5) ts, (i / 4)::decimal(9, 2) m,
    {'HUGEINT': [9007199254740993::hugeint + i]} l from range(70000) r(i);  -- over more than one batch`
  const file = join(dir, 'r.parquet')
  expect((await query(sql, '-o', file)).exitCode).toBe(0)

  const difference = `(from (${sql.split(';')[0]}) except from '${file}')`
  const { stdout } = await query(
    `select count(*) n, typeof(any_value(h)) h, typeof(any_value(l)) l from '${file}'`,
    '--allow-dir',
    dir,
  )
  expect(stdout).toBe('n,h,l\n70000,"DECIMAL(38,0)","STRUCT(HUGEINT DECIMAL(38,0)[])"\n')
  const reader = await askDuckdb(':memory:', `select count(*) from ${difference}`)
  expect(reader.getRows()).toEqual([[0n]])
})

test.each([
  ['UTC', '2024-07-01T00:00:00.000Z', '1'],
  ['Asia/Tokyo', '2024-07-01T09:00:00.000+09:00', '1'],
  ['America/St_Johns', '2024-06-30T21:30:00.000-02:30', '30'],
])('--tz %s', async (zone, text, day) => {
  const sql = `select timestamptz '2024-07-01 00:00:00+00' t, day(timestamptz '2024-07-01 00:00:00+00') d`
  const { stdout } = await query(sql, '--tz', zone)
  expect(stdout).toBe(`t,d\n${text},${day}\n`)
})

test('SQL from standard input, several statements, the last one answers', async () => {
  const argv = ['query', '-w', duckdb.root]
  const input = 'set threads = 1;\nselect count(*) > 0 as yes from coins;\n'
  for (const more of [[], ['-']]) {
    const shown = { stdout: 'yes\ntrue\n', stderr: '' }
    expect(await runCaptured([...argv, ...more], { input })).toMatchObject(shown)
  }
})

test('a Parquet file is of the last statement of a script, as the others have set it', async () => {
  const file = join(dir, 'script.parquet')
  const script = `SET TimeZone = 'Asia/Tokyo'; SET VARIABLE n = 3; CREATE TEMP TABLE x AS SELECT getvariable('n') n;
    SELECT n, ';' t, hour(timestamptz '2024-07-01 00:00:00+00') h FROM x -- ;`
  expect(await query(script, '-o', file)).toMatchObject({ exitCode: 0, stderr: '' })
  const read = await query(`from '${file}'`, '--allow-dir', dir)
  expect(read.stdout).toBe('n,t,h\n3,;,9\n')
})

/** A link to itself: nobody may follow it, root neither. */
const loop = join(dir, 'loop')
await symlink(loop, loop)

describe('what cannot be', () => {
  test.each([
    ['from nothing_here', [], 'SQL_ERROR 2', 'nothing_here does not exist'],
    ['selec 1', [], 'SQL_ERROR 2', 'syntax error'],
    ['create table t (a int)', [], 'SQL_READS_ONLY 2', 'CREATE TABLE ...'],
    [`select error('later') from range(9)`, [], 'SQL_ERROR 2', 'later'],
    [' ', [], 'NO_SQL 2', 'no SQL'],
    ['-- later', [], 'NO_SQL 2', 'no SQL'],
    [
      'select 170141183460469231731687303715884105727 h',
      ['-f', 'parquet'],
      'SQL_ERROR 2',
      'Conversion Error',
    ],
    ['select 1', ['--tz', 'Mars/X'], 'BAD_TIME_ZONE 2', 'Mars/X'],
    ['select 1', ['--tz', '+02:00'], 'BAD_TIME_ZONE 2', '+02:00'],
    ['describe coins', ['-f', 'parquet'], 'PARQUET_NEEDS_SELECT 2', 'another statement'],
    ['select 1; set threads = 1', ['-f', 'parquet'], 'PARQUET_NEEDS_SELECT 2', 'another statement'],
    ['select 1', ['-o', 'x.arrow'], 'USAGE 2', '.arrow is none'],
    ['select 1', ['-o', '/nowhere/at/all.csv'], 'OUTPUT_NOT_WRITABLE 5', 'ENOENT'],
    ['select 1', ['-o', '/nowhere/a.parquet'], 'OUTPUT_NOT_WRITABLE 5', '/nowhere/a.parquet'],
    ['select 1', ['-o', join(loop, 'x.csv')], 'OUTPUT_NOT_WRITABLE 5', 'x.csv (ELOOP)'],
    ['select 1', ['-o', join(loop, 'x.parquet')], 'OUTPUT_NOT_WRITABLE 5', 'x.parquet'],
    ['select 1', ['--allow-dir', loop], 'NO_SUCH_FOLDER 2', 'loop'],
    ['select 1', ['-o', tmpdir()], 'OUTPUT_NOT_WRITABLE 5', 'EISDIR'],
  ] as [string, string[], string, string][])('%s %j: %s', async (sql, more, refusal, says) => {
    const { exitCode, stdout, stderr } = await query(sql, ...more)
    expect(stdout.replace(/^.*error.*$/m, '').trim()).toBe('')
    const [, code] = /error\[(\w+)\]/.exec(stderr) ?? []
    expect(`${code} ${exitCode}`).toBe(refusal)
    expect(stderr).toContain(says)
    expect(stderr).toContain('hint: ')
  })

  test('binary is not written to a terminal', async () => {
    const argv = ['query', '-w', duckdb.root, 'select 1', '-f', 'parquet']
    const { exitCode, stdout, stderr } = await runCaptured(argv, { isTerminal: true })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('BINARY_TO_TERMINAL')
  })

  test('nothing is published yet', async () => {
    const { exitCode, stderr } = await runCaptured(['query', '-w', dir, 'select 1'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/error\[NO_PUBLICATION\].*\n.*coinlake backfill.*publish\.every/)
  })

  test('a query that fails half way leaves the older file, and no other', async () => {
    const own = await mkdtemp(join(dir, 'half-'))
    const sql = `select case when range > 500000 then error('late') end from range(1000000)`
    for (const name of ['a.csv', 'a.json', 'a.parquet']) {
      const file = join(own, name)
      await writeFile(file, 'older')
      const { exitCode, stderr } = await query(sql, '-o', file)
      expect({ name, exitCode }).toEqual({ name, exitCode: 2 })
      expect(stderr).toContain('error[SQL_ERROR]: Invalid Input Error: late')
      expect(await readFile(file, 'utf8')).toBe('older')
    }
    expect(await readdir(own)).toHaveLength(3)
  })
})

test('Ctrl-C ends a long query at once, with its own exit code and no file', async () => {
  const file = join(dir, 'long.csv')
  const sql = 'select a.range from range(100000000) a, range(100000000) b'
  const argv = [bin, 'query', '-w', duckdb.root, sql, '-o', file]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  const isWriting = async () => (await readdir(dir)).some((name) => name.startsWith('long.csv.'))
  while (!(await isWriting())) await setTimeout(20)
  child.kill('SIGINT')
  const [code] = (await once(child, 'exit')) as [number | null]
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
    code: 130,
    stderr: 'error[QUERY_INTERRUPTED]: the query was interrupted',
  })
  expect((await readdir(dir)).filter((name) => name.startsWith('long.csv'))).toEqual([])
})

test('a result that passes through TMPDIR says it when that is gone', async () => {
  vi.stubEnv('TMPDIR', join(dir, 'gone'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const { exitCode, stderr } = await query('select 1', '-f', 'parquet')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('error[TMPDIR_NOT_WRITABLE]')
})

test('what is no regular file is written directly', async () => {
  for (const format of ['csv', 'parquet']) {
    const { exitCode } = await query('select 1', '-o', '/dev/null', '-f', format)
    expect(exitCode).toBe(0)
  }
})

test.each(['csv', 'parquet'])('a link stays, and its file is replaced: %s', async (format) => {
  const own = await mkdtemp(join(dir, 'link-'))
  await writeFile(join(own, 'data'), 'older')
  await symlink('data', join(own, 'link'))
  const { exitCode } = await query('select 42 as n', '-o', join(own, 'link'), '-f', format)
  expect(exitCode).toBe(0)
  expect(await readlink(join(own, 'link'))).toBe('data')
  const written = await readFile(join(own, 'data'))
  if (format === 'csv') expect(written.toString()).toBe('n\n42\n')
  expect((await readdir(own)).toSorted()).toEqual(['data', 'link'])
})

test.each(['csv', 'parquet'])('a reader that goes away ends %s quietly', async (format) => {
  const sql = 'select range i, range::varchar || random() s from range(3000000)'
  const argv = [bin, 'query', '-w', duckdb.root, sql, '-f', format]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = (await once(child, 'exit')) as [number | null]
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('a bucket that cannot be reached, or refuses, is no mistake in the SQL', () => {
  const codeOf = (text: string): string => queryError(new Error(text)).code
  const unreachable = "IO Error: Could not resolve hostname error for HTTP HEAD to 'http://s3/x'"
  expect(codeOf(unreachable)).toBe('STORE_S3_UNREACHABLE')
  const refused = "HTTP Error: HTTP GET error reading 'http://s3/x' (HTTP 403 Forbidden)"
  expect(codeOf(refused)).toBe('STORE_S3_DENIED')
  expect(codeOf('Parser Error: syntax error at or near "HTTP 403"')).toBe('SQL_ERROR')
})
