import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LAUNCHER = fileURLToPath(new URL('../../bin/coinlake.js', import.meta.url))
/** Runs before the launcher, in each process that the launcher becomes. */
const TELL = 'data:text/javascript,console.error(`heap ${process.env.MALLOC_ARENA_MAX}`)'

const { MALLOC_ARENA_MAX: _, MALLOC_MMAP_THRESHOLD_: __, ...BARE } = process.env

/** What the processes of `coinlake <command> --help` had in their environment, in turn. */
function heapsOf(command: string, env: NodeJS.ProcessEnv): { told: string[]; stdout: string } {
  const args = ['--import', TELL, LAUNCHER, command, '--help']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  expect(status, stderr).toBe(0)
  return { told: stderr.match(/^heap .*$/gm) ?? [], stdout }
}

test.runIf(process.platform === 'linux').each(['backfill', 'refetch', 'restore', 'worker'])(
  '%s starts once more, with a heap that gives memory back',
  (command) => {
    const { told, stdout } = heapsOf(command, BARE)
    expect(told).toEqual(['heap undefined', 'heap 2'])
    expect(stdout).toContain(`coinlake ${command}`)
  },
)

test('a heap that the user has set stays', () => {
  expect(heapsOf('backfill', { ...BARE, MALLOC_ARENA_MAX: '7' }).told).toEqual(['heap 7'])
})

test('short commands start once', () => {
  expect(heapsOf('status', BARE).told).toEqual(['heap undefined'])
})
