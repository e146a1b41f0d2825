import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCaptured } from '../parts/run-captured.ts'
import { tempDir } from '../parts/temp-dir.ts'

const BAD = `source: { base_url: "http://127.0.0.1:9" }
datasets:
  market_chart: { coins: [bitcoin], form: 2024-01-01 }
  coins: { quick: true }
`

test.for([
  [['gaps', '--json', '--limt', '3'], 2, [{ code: 'USAGE', where: null }]],
  [['query', 'selec 1', '-f', 'json', '-w', '.'], 2, [{ code: 'NO_PUBLICATION', where: null }]],
  [['plan', '--json', '-c', 'absent.yaml'], 2, [{ code: 'CONFIG_NOT_FOUND', where: null }]],
  [
    ['plan', '--json'],
    2,
    [
      { code: 'CONFIG_UNKNOWN_KEY', where: 'coinlake.yaml:3:37' },
      { code: 'CONFIG_UNKNOWN_KEY', where: 'coinlake.yaml:4:12' },
    ],
  ],
  [['verify', '--json'], 5, [{ code: 'NO_WAREHOUSE', where: null }]],
] as const)('coinlake %j: an error is one JSON document', async ([argv, exitCode, errors]) => {
  const cwd = tempDir()
  const text = argv[0] === 'verify' ? BAD.replace(/ {2}market[^]*/, '  coins: {}\n') : BAD
  writeFileSync(join(cwd, 'coinlake.yaml'), text)
  const told = await runCaptured(argv, { cwd })
  const { error, others, ...more } = JSON.parse(told.stdout)
  expect([error, ...others]).toMatchObject(errors)
  expect([told.exitCode, more]).toEqual([exitCode, { exitCode }])
  // People, and logs, find the same on standard error.
  for (const { message, hint } of [error, ...others]) {
    expect(told.stderr).toContain(`${message}\n  hint: ${hint}\n`)
  }
  const { stdout } = await runCaptured(
    argv.filter((word) => !['--json', '-f', 'json'].includes(word)),
    { cwd },
  )
  expect(stdout).toBe('')
})
