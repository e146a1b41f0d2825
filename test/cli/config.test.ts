import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCaptured } from '../parts/run-captured.ts'
import { tempDir } from '../parts/temp-dir.ts'

const KEY = 'a-key-that-nobody-may-see'
const GOOD = `source: { profile: interface, base_url: "http://127.0.0.1:8400", api_key: "\${COINLAKE_API_KEY}" }
datasets:
  market_chart: { coins: [bitcoin], granularity: hourly, from: 2024-01-01, to: 2024-03-31 }
`
const cwd = tempDir(afterAll)

beforeAll(async () => {
  await writeFile(join(cwd, 'coinlake.yaml'), GOOD)
  await writeFile(
    join(cwd, 'bad.yaml'),
    GOOD.replace('2024-01-01', '2024-13-01')
      .replace('market_chart', 'market_chrt')
      .concat('sink: [duckdb]\n'),
  )
  await writeFile(join(cwd, 'none.yaml'), GOOD.split('datasets:')[0] ?? '')
})

const config = (argv: string[], env: Record<string, string> = {}) =>
  runCaptured(['config', ...argv], { cwd, env })

describe('show', () => {
  test('each value with its origin: flag, environment, file, default', async () => {
    const env = { COINLAKE_WAREHOUSE: '/data/w' }
    const { exitCode, stdout } = await config(
      ['show', '--to', '2024-02-01', '--coins', 'bitcoin', '--coins', 'ethereum,dogecoin'],
      env,
    )
    expect(exitCode).toBe(0)
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(rows).toContainEqual(['datasets.market_chart.to', '2024-02-01', 'flag --to'])
    const coins = 'bitcoin, ethereum, dogecoin'
    expect(rows).toContainEqual(['datasets.market_chart.coins', coins, 'flag --coins'])
    expect(rows).toContainEqual(['warehouse', '/data/w', 'env COINLAKE_WAREHOUSE'])
    expect(rows).toContainEqual(['datasets.market_chart.from', '2024-01-01', 'coinlake.yaml:3'])
    expect(rows).toContainEqual(['source.timeout', '30s', 'default'])
  })

  test('the file is found from a folder below, and its paths stay those of its own', async () => {
    const below = join(cwd, 'notebooks', 'prices')
    await mkdir(below, { recursive: true })
    const { exitCode, stdout } = await runCaptured(['config', 'show'], { cwd: below })
    expect(exitCode).toBe(0)
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(rows).toContainEqual(['warehouse', join(cwd, 'warehouse'), 'default'])
    expect(stdout).toContain('../../coinlake.yaml:3')
    // Where others may write, a file could be anybody's, and would be sent the key.
    await chmod(cwd, 0o777)
    expect((await runCaptured(['config', 'show'], { cwd: below })).exitCode).toBe(2)
    await chmod(cwd, 0o700)
    const named = await runCaptured(['config', 'show', '-c', 'none.yaml'], { cwd: below })
    expect(named.exitCode).toBe(2)
  })

  test('never the key, in no form', async () => {
    for (const argv of [['show'], ['show', '--json'], ['check'], ['check', '--json']]) {
      const { stdout, stderr } = await config(argv, { COINLAKE_API_KEY: KEY })
      expect(stdout + stderr).not.toContain(KEY)
      if (argv[0] === 'show') expect(stdout).toContain('[secret]')
    }
  })

  test('--json', async () => {
    const shown = JSON.parse((await config(['show', '--json'])).stdout) as Record<string, unknown>
    expect(shown['source.base_url']).toEqual({
      value: 'http://127.0.0.1:8400',
      origin: 'coinlake.yaml:1',
    })
  })
})

describe('check', () => {
  test('ok', async () => {
    const { exitCode, stdout, stderr } = await config(['check'], { COINLAKE_API_KEY: KEY })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(
      `ok: coinlake.yaml: market_chart from http://127.0.0.1:8400 into ${join(cwd, 'warehouse')}\n`,
    )
  })

  test('a missing key is a note, not a failure', async () => {
    const { exitCode, stderr } = await config(['check'])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('env COINLAKE_API_KEY is not set')
  })

  test('every problem with its place, code and hint', async () => {
    const { exitCode, stdout, stderr } = await config(['check', '-c', 'bad.yaml'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    const lines = stderr.trimEnd().split('\n')
    expect(
      lines.filter((line) => /^error\[CONFIG_\w+\]: bad\.yaml:\d+:\d+: /.test(line)),
    ).toHaveLength(lines.length / 2)
    expect(lines.filter((line) => line.startsWith('  hint: '))).toHaveLength(lines.length / 2)
    expect(stderr).toContain('Did you mean `market_chart`?')
    expect(stderr).toContain('Did you mean `sinks`?')

    const json = await config(['check', '-c', 'bad.yaml', '--json'])
    expect({ exitCode: json.exitCode, stderr: json.stderr }).toEqual({ exitCode: 2, stderr: '' })
    const { ok, problems } = JSON.parse(json.stdout) as { ok: boolean; problems: unknown[] }
    expect(ok).toBe(false)
    expect(problems).toHaveLength(lines.length / 2)
  })

  test('a file that asks for nothing', async () => {
    const { exitCode, stderr } = await config(['check', '-c', 'none.yaml'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('error[CONFIG_NO_DATASETS]')])
  })
})
