import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { test as anyTest, expect, vi } from 'vitest'
import { leaseServer, requireStateDir, runningServer } from '../../../engine/server/lease-server.ts'
import { stopServer } from '../../parts/stop-server.ts'
import { isAlive } from '../../../engine/process-identity.ts'
import type { ServerRecord } from '../../../engine/server/server-state.ts'
import { startFixture } from '../fixtures/child.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { mountSmallDisk, whyNoSmallDisk } from '../../resume/small-disk.ts'

const GRACE_MS = 400
const ENV = { ...process.env, COINLAKE_ENGINE_GRACE_MS: String(GRACE_MS) }
/** Grace, the server's own end, and a busy machine. */
const GONE_WITHIN = { timeout: 10_000, interval: 25 }

/** `dir`: a state folder whose server is stopped after the test, whatever happened. */
const test = anyTest.extend<{ dir: string }>({
  dir: async ({ onTestFinished }, use) => {
    const dir = tempDir(onTestFinished)
    onTestFinished(async () => {
      await stopServer(dir)
    })
    await use(dir)
  },
})

function lease(stateDir: string) {
  return leaseServer({ stateDir, env: ENV })
}

function runningIn(stateDir: string): ServerRecord {
  const record = runningServer(stateDir)
  if (record === null) throw new Error(`no server in ${stateDir}`)
  return record
}

async function answers(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address })
  const { namespaceInfo } = await connection.workflowService.describeNamespace({
    namespace: 'default',
  })
  await connection.close()
  return namespaceInfo?.name === 'default'
}

test.concurrent('the server answers while it is leased, and goes with its files after the last lease', async ({
  dir,
}) => {
  const first = await lease(dir)
  const second = await lease(dir)
  expect(second.address).toBe(first.address)
  expect(await answers(first.address)).toBe(true)
  const { server, supervisor } = runningIn(dir)
  first.release()
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS * 2))
  expect(isAlive(server)).toBe(true)
  second.release()
  await vi.waitFor(() => expect(isAlive(supervisor)).toBe(false), GONE_WITHIN)
  expect(isAlive(server)).toBe(false)
  expect(readdirSync(join(dir, 'leases'))).toEqual([])
  expect(readdirSync(dir).filter((name) => /\.json|\.lock/.test(name))).toEqual([])
})

test.concurrent('two processes that lease at once start one server; killed, they take it with them', async ({
  dir,
  onTestFinished,
}) => {
  const holders = [1, 2].map(() =>
    startFixture('hold-lease.ts', [dir, String(GRACE_MS)], onTestFinished),
  )
  const addresses = await Promise.all(holders.map((holder) => holder.firstLine))
  expect(new Set(addresses).size).toBe(1)
  const started = readFileSync(join(dir, 'supervisor.log'), 'utf8').match(/starts on port/g)
  expect(started).toHaveLength(1)
  const { server, supervisor } = runningIn(dir)
  await holders[0]?.kill()
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS * 2))
  expect(isAlive(server)).toBe(true)
  await holders[1]?.kill()
  await vi.waitFor(() => expect(isAlive(supervisor)).toBe(false), GONE_WITHIN)
  expect(isAlive(server)).toBe(false)
})

test.concurrent('a killed server comes back on the same port, and a killed supervisor is replaced', async ({
  dir,
}) => {
  const held = await lease(dir)
  const first = runningIn(dir)
  process.kill(first.server.pid, 'SIGKILL')
  await vi.waitFor(() => expect(runningIn(dir).server.pid).not.toBe(first.server.pid), GONE_WITHIN)
  const second = runningIn(dir)
  expect(second.address).toBe(first.address)
  expect(second.supervisor).toEqual(first.supervisor)
  expect(await answers(held.address)).toBe(true)

  process.kill(second.supervisor.pid, 'SIGKILL')
  await vi.waitFor(
    () => expect(runningIn(dir).supervisor.pid).not.toBe(second.supervisor.pid),
    GONE_WITHIN,
  )
  const third = runningIn(dir)
  expect(third.server).toEqual(second.server)
  held.release()
  await vi.waitFor(() => expect(isAlive(third.supervisor)).toBe(false), GONE_WITHIN)
  expect(isAlive(third.server)).toBe(false)
})

test.concurrent('two leases of one process at once start one server', async ({ dir }) => {
  const leases = await Promise.all([lease(dir), lease(dir)])
  const log = readFileSync(join(dir, 'supervisor.log'), 'utf8')
  expect(log.match(/starts on port/g)).toHaveLength(1)
  for (const held of leases) held.release()
})

test.concurrent('a keeper that is about to leave and stays keeps its server', async ({ dir }) => {
  const first = await lease(dir)
  const { server, supervisor } = runningIn(dir)
  const [record, leaving] = [join(dir, 'server.json'), join(dir, 'leaving.json')]
  // As it stands between taking its record away and looking for leases.
  process.kill(supervisor.pid, 'SIGSTOP')
  renameSync(record, leaving)
  const asked = lease(dir)
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS))
  expect(isAlive(server)).toBe(true)
  renameSync(leaving, record)
  process.kill(supervisor.pid, 'SIGCONT')
  const second = await asked
  expect(runningIn(dir)).toMatchObject({ server, supervisor })
  first.release()
  second.release()
})

test.concurrent('who gives up waiting has no lease, and starts nothing more', async ({ dir }) => {
  const unwanted = new AbortController()
  const waiting = leaseServer({ stateDir: dir, env: process.env, signal: unwanted.signal })
  unwanted.abort(new Error('the store is locked'))
  await expect(waiting).rejects.toThrow('the store is locked')
  expect(readdirSync(join(dir, 'leases'))).toEqual([])
  expect(existsSync(join(dir, 'supervisor.lock'))).toBe(false)
})

test.concurrent('both killed: the next lease brings the server back on the same port', async ({
  dir,
}) => {
  const held = await lease(dir)
  const first = runningIn(dir)
  process.kill(first.supervisor.pid, 'SIGKILL')
  process.kill(first.server.pid, 'SIGKILL')
  const again = await lease(dir)
  expect(again.address).toBe(held.address)
  expect(await answers(again.address)).toBe(true)
  held.release()
  again.release()
})

const DAMAGES: [string, (path: string) => void][] = [
  ['is no database', (path) => writeFileSync(path, 'this is no database')],
  [
    'is damaged inside',
    (path) => writeFileSync(path, `SQLite format 3\0${'\x13'.repeat(8_000)}`, 'latin1'),
  ],
]

test.concurrent.for(DAMAGES)(
  'a database file that %s is moved aside, with a warning',
  async ([, damage], { dir }) => {
    const held = await lease(dir)
    held.release()
    await stopServer(dir)
    const db = readdirSync(dir).find((name) => /^temporal-[\d.]+\.db$/.test(name)) ?? 'none'
    // Without its write-ahead log: replayed, that would mend the damage.
    for (const suffix of ['-wal', '-shm']) rmSync(join(dir, db + suffix), { force: true })
    damage(join(dir, db))
    const again = await lease(dir)
    expect(await answers(again.address)).toBe(true)
    again.release()
    expect(readdirSync(dir)).toContain(`${db}.damaged`)
    expect(readFileSync(join(dir, 'supervisor.log'), 'utf8')).toContain('warning:')
  },
)

test.concurrent('a state folder that cannot be is an error that names it', async ({
  onTestFinished,
}) => {
  const file = join(tempDir(onTestFinished), 'file')
  writeFileSync(file, '')
  await expect(lease(join(file, 'state'))).rejects.toMatchObject({
    code: 'TEMPORAL_STATE_DIR',
    message: expect.stringContaining(join(file, 'state')) as string,
  })
})

test.concurrent('a look at a state folder that cannot be written makes nothing, and names it', async ({
  onTestFinished,
  skip,
}) => {
  const disk = join(tempDir(onTestFinished), 'disk')
  const why = whyNoSmallDisk(disk)
  if (why !== null) skip(why)
  const small = mountSmallDisk(disk, 65_536)
  onTestFinished(() => small.remove())
  const dir = join(disk, 'a', 'state')
  requireStateDir(dir)
  expect(readdirSync(disk)).toEqual([])
  execFileSync('mount', ['-o', 'remount,ro', disk])
  expect(() => requireStateDir(dir)).toThrow(
    expect.objectContaining({
      code: 'TEMPORAL_STATE_DIR',
      message: expect.stringContaining(dir) as string,
    }),
  )
})

test.concurrent('a server that cannot start is an error that names its logs', async ({ dir }) => {
  const broken = join(dir, 'temporal')
  const script = [
    '#!/bin/sh',
    'case "$*" in',
    '  *--version) echo "temporal version 1.9.1 (Server 1.32.0, UI 2)";;',
    '  *--help) echo "--headless --db-filename --dynamic-config-value --sqlite-pragma";;',
    '  *) echo "cannot do that" >&2; exit 3;;',
    'esac',
  ]
  writeFileSync(broken, script.join('\n'), { mode: 0o755 })
  const env = { ...ENV, COINLAKE_TEMPORAL_BINARY: broken }
  await expect(leaseServer({ stateDir: dir, env })).rejects.toMatchObject({
    code: 'TEMPORAL_START_FAILED',
    message: expect.stringContaining('exit code 3') as string,
    hint: expect.stringContaining(join(dir, 'server.log')) as string,
  })
  expect(readdirSync(join(dir, 'leases'))).toEqual([])
})
