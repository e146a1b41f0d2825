import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { tempDir } from '../parts/temp-dir.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/coinlake.js', import.meta.url))
/** Runs before the launcher, in each process that the launcher becomes. */
const NAMES = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'UV_THREADPOOL_SIZE'] as const
const TELL = `data:text/javascript,console.error('start', ...${JSON.stringify(NAMES)}.map((name) => process.env[name]), process.execArgv.filter((flag) => flag.startsWith('--max-')).join() || undefined)`

const BARE: NodeJS.ProcessEnv = { ...process.env }
for (const name of NAMES) delete BARE[name]
const HEAP_FLAGS = '--max-semi-space-size=8,--max-old-space-size=1536'
const NOTHING_SET = 'start undefined undefined undefined undefined'

/** The environment of each process of `coinlake <command> --help`, in turn. */
function startsOf(command: string, env: NodeJS.ProcessEnv): { told: string[]; stdout: string } {
  const args = ['--import', TELL, LAUNCHER, command, '--help']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  expect(status, stderr).toBe(0)
  return { told: stderr.match(/^start .*$/gm) ?? [], stdout }
}

test.runIf(process.platform === 'linux').each(['backfill', 'refetch', 'restore', 'worker'])(
  '%s starts once more, with a heap that gives memory back and threads for the disk',
  (command) => {
    const { told, stdout } = startsOf(command, BARE)
    expect(told).toEqual([NOTHING_SET, `start 2 1048576 16 ${HEAP_FLAGS}`])
    expect(stdout).toContain(`coinlake ${command}`)
  },
)

test.runIf(process.platform === 'linux')('what the user has set stays', () => {
  const env = { ...BARE, MALLOC_ARENA_MAX: '7' }
  const told = ['start 7 undefined undefined undefined', `start 7 1048576 16 ${HEAP_FLAGS}`]
  expect(startsOf('backfill', env).told).toEqual(told)
  const larger = { ...BARE, NODE_OPTIONS: '--max-old-space-size=4096' }
  const own = 'start 2 1048576 16 --max-semi-space-size=8'
  expect(startsOf('backfill', larger).told).toEqual([NOTHING_SET, own])
})

test('what was compiled is kept for the next start, in the folder of the user', () => {
  const cache = tempDir()
  const kept = (env: NodeJS.ProcessEnv): number => {
    const args = [LAUNCHER, '--version']
    const { status } = spawnSync(process.execPath, args, { env: { ...BARE, ...env } })
    expect(status).toBe(0)
    const dir = join(cache, 'coinlake', 'compiled')
    return existsSync(dir) ? readdirSync(dir, { recursive: true }).length : 0
  }
  const env = { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: undefined }
  expect(kept({ ...env, NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(0)
  const first = kept(env)
  expect(first).toBeGreaterThan(20)
  expect(kept(env)).toBe(first)
  // A folder that cannot be made is none of the user's worries.
  expect(kept({ XDG_CACHE_HOME: '/dev/null' })).toBe(first)
})

test('short commands start once', () => {
  expect(startsOf('status', BARE).told).toEqual([NOTHING_SET])
})
