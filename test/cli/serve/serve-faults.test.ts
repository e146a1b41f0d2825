import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FAULT_PRESET_NAMES } from '../../../service/faults/fault-preset-names.ts'
import { askSocket } from '../../parts/faulty-service.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { serve } from './serve-process.ts'

const dir = tempDir(afterAll)

/** Serves, asks 40 requests, stops; gives the statuses with their faults from the log, and what was said. */
async function statusesUnder(log: string, argv: readonly string[]): Promise<[string[], string]> {
  const logFile = join(dir, log)
  const market = ['--simulate', '--preset', 'tiny', '--clock', '2026-01-15']
  const served = await serve([...market, '--log', logFile, ...argv])
  for (let days = 1; days <= 40; days++) {
    await askSocket(`${served.url}/v2/coins/bitcoin/market_chart?vs_currency=usd&days=${days}`)
  }
  const { stderr } = await served.stop()
  const entries = readFileSync(logFile, 'utf8').trim().split('\n')
  const told = entries.map((line) => {
    const { status, injected } = JSON.parse(line) as { status: number; injected?: string[] }
    return [status, ...(injected ?? [])].join(' ')
  })
  return [told, stderr]
}

test('--faults mild: the same faults for the same seed, named in the log', async () => {
  const [one, stderr] = await statusesUnder('1.jsonl', ['--faults', 'mild', '--fault-seed', '3'])
  const [two] = await statusesUnder('2.jsonl', ['--faults', 'mild', '--fault-seed', '3'])
  const [three] = await statusesUnder('3.jsonl', ['--faults', 'mild', '--fault-seed', '4'])
  expect(stderr).toContain('with faults on purpose (mild, seed 3)')
  expect(two).toEqual(one)
  expect(three).not.toEqual(one)
  expect(one.filter((told) => told.includes(' ')).length).toBeGreaterThan(0)
  expect(one).toContain('200')
})

test('--faults with a file', async () => {
  const file = join(dir, 'faults.yaml')
  writeFileSync(file, '- { fault: server_error, status: 503, rate: 0.5 }\n')
  const [told] = await statusesUnder('file.jsonl', ['--faults', file])
  expect(new Set(told)).toEqual(new Set(['200', '503 server_error']))
})

test('--help lists presets', async () => {
  const { exitCode, stdout } = await runCaptured(['serve', '--help'])
  expect(exitCode).toBe(0)
  for (const name of FAULT_PRESET_NAMES) expect(stdout).toContain(name)
})

test.each([
  [['--faults', '/no/such.yaml'], /error\[FAULTS_FILE\].*\n {2}hint: .*flaky-network/],
  [['--faults', 'mild', '--fault-seed', 'x'], /error\[SERVE_OPTION\].*--fault-seed/],
  [['--faults', join(dir, 'bad.yaml')], /error\[FAULTS_UNKNOWN_FAULT\].*bad\.yaml:2:10/],
])('%j is refused', async (argv, says) => {
  writeFileSync(join(dir, 'bad.yaml'), '- fault: html\n- fault: none\n')
  const serve = ['serve', '--simulate', '--port', '0']
  const { exitCode, stdout, stderr } = await runCaptured([...serve, ...argv])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(says)
})
