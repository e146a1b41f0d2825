import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { writeMonthCount } from '../../../activities/month-count.ts'
import { startOfMonthMs } from '../../../api/month-gate.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import { continueCommand } from '../../../cli/commands/backfill.ts'
import { begunRun, brokenOffRun, forgetBegunRun, noteBegunRun } from '../../../cli/run/begun-run.ts'
import { keyId } from '../../../engine/queues.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { tempDir } from '../../parts/temp-dir.ts'

const CONFIG = `source: { base_url: "http://127.0.0.1:9" }\ndatasets: { coins: {} }\n`
const GO_ON = 'coinlake backfill -c coinlake.yaml --coins bitcoin'
let cwd: string
let engineDir: string

beforeEach(async () => {
  cwd = tempDir()
  engineDir = join(cwd, 'engine')
  await writeFile(join(cwd, 'coinlake.yaml'), CONFIG)
  await mkdir(warehousePaths(join(cwd, 'warehouse')).runsDir, { recursive: true })
})

/** Runs a command that looks at runs; none may have started a server, which would make its folder. */
async function look(...argv: string[]) {
  const env = { COINLAKE_ENGINE_DIR: engineDir, COINLAKE_ENGINE_ISOLATED: '1' }
  const captured = await runCaptured(argv, { cwd, env })
  expect(existsSync(engineDir)).toBe(false)
  expect(captured.exitCode).toBe(0)
  return captured
}

test.each([['status'], ['status', '--watch'], ['pause'], ['resume'], ['cancel']])(
  'coinlake %s %s starts no server',
  async (...argv) => {
    const { stdout, stderr } = await look(...argv)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      argv[0] === 'status' ? /^no run has ended in .*: start with/ : /^no run is going on in /,
    )
  },
)

test.each([['pause'], ['resume'], ['cancel']])(
  'coinlake %s --json without a run prints a document',
  async (name) => {
    expect((await look(name, '--json')).stdout).toBe('null\n')
  },
)

test('status and plan tell what is left of the month, of all who use the key', async () => {
  const source = '{ base_url: "http://127.0.0.1:9", monthly_calls: 10000 }'
  await writeFile(join(cwd, 'coinlake.yaml'), `source: ${source}\ndatasets: { coins: {} }\n`)
  const { stateDir } = warehousePaths(join(cwd, 'warehouse'))
  await writeMonthCount(stateDir, {
    keyId: keyId(null, 'http://127.0.0.1:9'),
    monthStartsAtMs: startOfMonthMs(Date.now()),
    used: 1_234,
    rate: { calls: 500, perMs: 60_000 },
  })
  const told =
    '10,000 calls; 1,234 used that this warehouse knows of, 8,766 left, 1,000 of them kept for schedules and refetches'
  expect((await look('status')).stdout).toBe(`month: ${told}\n`)
  const planned = (await look('plan')).stdout
  expect(planned).toContain(`of ${told}\n`)
  expect(planned).toMatch(/^time +about .* at 500 calls per 60 s, as learned before$/m)
})

test('a run that was broken off is told with the command that goes on', async () => {
  const paths = warehousePaths(join(cwd, 'warehouse'))
  await noteBegunRun(paths, { runId: 'r1', goOnWith: GO_ON })
  const text = `run r1 was broken off; go on with: ${GO_ON}\n`
  expect((await look('status')).stdout).toBe(text)
  expect(JSON.parse((await look('status', '--json')).stdout)).toEqual({
    runId: 'r1',
    goOnWith: GO_ON,
    stalled: [],
    phase: 'broken off',
    months: [expect.objectContaining({ used: 0, ceiling: null })],
    freshness: [expect.objectContaining({ dataset: 'coins', state: 'none' })],
    gone: [],
    unreadable: null,
    disk: expect.objectContaining({ storeBytes: 0 }) as object,
  })
  expect((await look('pause')).stderr).toContain(text)

  await writeFile(join(paths.runsDir, 'r1.json'), '{}')
  expect(brokenOffRun(paths)).toBeNull()
  await noteBegunRun(paths, { runId: 'r2', goOnWith: GO_ON })
  expect(brokenOffRun(paths)?.runId).toBe('r2')
  // Its report would be gone by then.
  await utimes(join(paths.stateDir, 'begun-run.json'), 0, 0)
  expect(brokenOffRun(paths)).toBeNull()
  forgetBegunRun(paths, 'r1')
  expect(begunRun(paths)?.runId).toBe('r2')
  forgetBegunRun(paths, 'r2')
  expect(begunRun(paths)).toBeNull()
  expect(brokenOffRun(paths)).toBeNull()
})

test('the command to go on with can be pasted into a shell', () => {
  const chosen = { coins: 'top:100', derivativeExchanges: 'x', queries: 'a, b' }
  expect(continueCommand({ config: "my file's.yaml", ...chosen, json: true }, 'backfill')).toBe(
    `coinlake backfill -c 'my file'\\''s.yaml' --coins top:100 --derivative-exchanges x --queries 'a, b'`,
  )
})
