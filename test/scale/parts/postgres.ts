import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { freePort } from '../../../engine/server/free-port.ts'
import { tempDir } from '../../parts/temp-dir.ts'

/** A PostgreSQL server of its own, on a free port of 127.0.0.1; its user needs no password, another that a test makes does. */
export interface TestPostgres {
  /** Makes a database and returns the catalog that it can hold. */
  makeCatalog(name: string): string
  /** As a power cut: no shutdown, and whoever is connected finds the connection gone. */
  kill(): Promise<void>
  /** Starts it again after a kill, on the same port. */
  start(): Promise<void>
  /** Rows of a query in a database of `makeCatalog`, one text each. */
  query(database: string, sql: string): string[]
}

const USER = 'lake'
/** The name of the user who needs a password. */
export const GUARDED = 'guarded'
const START_WITHIN_MS = 60_000
const HINT = 'Install it: apt-get install postgresql (or your system’s package of it).'

/** Where Debian puts the programs, and the PATH. */
function binDir(): string {
  const found = [
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
    ...(process.env['PATH'] ?? '').split(':'),
  ].find((dir) => existsSync(join(dir, 'initdb')) && existsSync(join(dir, 'postgres')))
  if (found === undefined) throw new Error(`PostgreSQL is not installed. ${HINT}`)
  return found
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
function owner(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  ) as [number, number]
  return { uid, gid }
}

/** A server for all tests of a file. */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = binDir()
  const dir = tempDir(afterAll)
  const as = owner()
  if (as.uid !== undefined) chownSync(dir, as.uid, as.gid)
  const data = join(dir, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '-N'], {
    ...as,
    cwd: dir,
    stdio: 'ignore',
  })
  const rules = join(data, 'pg_hba.conf')
  const guarded = `host all ${GUARDED} 127.0.0.1/32 scram-sha-256\n`
  writeFileSync(rules, guarded + readFileSync(rules, 'utf8'))
  const port = await freePort()
  let server: ChildProcess | null = null
  const psql = (database: string, sql: string) =>
    spawnSync(
      join(bin, 'psql'),
      ['-h', '127.0.0.1', '-p', `${port}`, '-U', USER, '-X', '-A', '-t', '-c', sql, database],
      { encoding: 'utf8', cwd: dir },
    )

  async function start(): Promise<void> {
    const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${dir}`, 'fsync=off']
    const flags = options.flatMap((option) => ['-c', option])
    server = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, ...flags], {
      ...as,
      cwd: dir,
      stdio: 'ignore',
    })
    const deadlineMs = Date.now() + START_WITHIN_MS
    while (psql('postgres', 'SELECT 1').status !== 0) {
      if (Date.now() > deadlineMs || server.exitCode !== null) {
        throw new Error(`PostgreSQL in ${dirname(data)} does not start`)
      }
      await sleep(50)
    }
  }

  async function kill(): Promise<void> {
    const running = server
    if (running === null || running.exitCode !== null) return
    const gone = new Promise((resolve) => running.once('close', resolve))
    // SIGQUIT is its "immediate": it takes its children along, which SIGKILL would leave behind.
    running.kill('SIGQUIT')
    await gone
    server = null
  }

  afterAll(kill)
  await start()
  return {
    makeCatalog(name) {
      const made = psql('postgres', `CREATE DATABASE ${name}`)
      if (made.status !== 0) throw new Error(made.stderr)
      return `postgres:dbname=${name} host=127.0.0.1 port=${port} user=${USER}`
    },
    query: (database, sql) => psql(database, sql).stdout.split('\n').filter(Boolean),
    kill,
    start,
  }
}
