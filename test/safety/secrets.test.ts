import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Lake, openLake } from '../parts/lake.ts'
import { bytesOf, filesBelow } from './files-below.ts'
import { HOSTILE_IDS, startHostileService, TELLTALE_IDS } from './hostile-service.ts'

/** Nothing else in the world holds this text. */
const KEY = "CANARY-key/4711+$&='x"
const SPELLINGS = [
  KEY,
  encodeURIComponent(KEY),
  JSON.stringify(KEY).slice(1, -1),
  Buffer.from(KEY).toString('base64').replace(/=+$/, ''),
].map((text) => Buffer.from(text))
const LOOK_EVERY_MS = 50

test('a source that repeats the key and gives hostile ids: no trace of the key, no file outside, all private', async ({
  onTestFinished,
}) => {
  const service = await startHostileService(KEY)
  // A configuration refuses a text that cannot be an id; a listing may have one.
  const chosen = HOSTILE_IDS.filter((id) => !/\p{C}/u.test(id))
  const ids = [...chosen, ...Object.values(TELLTALE_IDS)]
  const lake = openLake(
    service.url,
    [
      'coins: { every: 1d }',
      `market_chart: { coins: ${JSON.stringify(ids)}, granularity: hourly, from: 2024-04-01 }`,
    ],
    { engineDir: null },
  )
  onTestFinished(() => lake.remove())
  const home = dirname(lake.paths.root)
  // As a copy without its rights leaves them.
  const { stateDir, stageDir, logsDir } = lake.paths
  for (const dir of [stateDir, stageDir, logsDir]) mkdirSync(dir, { recursive: true })
  const run = lake.start(['backfill', '--json'], { COINLAKE_API_KEY: KEY })
  const watch = new AbortController()
  const seen = watchProcesses(home, run.pid, watch.signal)
  const ended = await run.ended
  watch.abort()
  const { commandLines, environments } = await seen

  // The service was asked with the key, the refusals that repeat it were met, and all else is loaded.
  expect(service.requests.every(({ hasKey }) => hasKey)).toBe(true)
  expect(ended.code, ended.stderr).toBe(3)
  const report = JSON.parse(ended.stdout) as { verdict: string }
  expect(report.verdict).toBe('partial')
  // `..` cannot be asked for: a URL would take it for the folder above.
  const loaded = chosen.filter((id) => id !== '..')
  expect(await entitiesOf(lake, KEY)).toEqual(loaded.toSorted())

  const texts = [ended.stdout, ended.stderr]
  for (const words of ['status', 'status --json', 'gaps', 'quarantine list', 'verify']) {
    const { stdout, stderr } = await lake.start(words.split(' '), { COINLAKE_API_KEY: KEY }).ended
    texts.push(stdout, stderr)
  }
  expect(texts.filter(holdsKey)).toEqual([])
  expect(commandLines.size).toBeGreaterThan(1)
  expect([...commandLines].filter(holdsKey)).toEqual([])
  expect(environments.size).toBeGreaterThan(0)
  expect([...environments].filter(holdsKey)).toEqual([])

  const files = filesBelow(home)
  const paths = files.filter(({ isFolder, isLink }) => !isFolder && !isLink)
  // The databases of the ledger and of Temporal, staged pages and logs are among them.
  for (const kind of [/store\.duckdb$/, /temporal.*\.db$/, /\.page$/, /logs\/.+/]) {
    expect(paths.map(({ path }) => path)).toContainEqual(expect.stringMatching(kind))
  }
  const telling = paths.filter(({ path }) => bytesOf(join(home, path)).some(holdsKey))
  expect(telling.map(({ path }) => path)).toEqual([])

  expect(readdirSync(home).toSorted()).toEqual(['coinlake.yaml', 'engine', 'warehouse'])
  for (const id of HOSTILE_IDS.filter((one) => one.startsWith('/') || one.startsWith('..'))) {
    const outside = join(lake.paths.root, id)
    if (outside !== home && id !== '/etc/passwd') expect(existsSync(outside)).toBe(false)
  }
  const isPrivate = /^(engine|warehouse\/(stage|state))(\/|$)/
  const open = files.filter(({ path, mode, isLink }) => {
    return !isLink && isPrivate.test(path) && (mode & 0o077) !== 0 && !isBelowPrivate(home, path)
  })
  expect(open).toEqual([])
})

function holdsKey(text: string | Buffer): boolean {
  return SPELLINGS.some((spelling) => text.includes(spelling as Buffer & string))
}

/** Whether a folder above already keeps everybody else out. */
function isBelowPrivate(home: string, path: string): boolean {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    if ((statSync(join(home, above)).mode & 0o077) === 0) return true
  }
  return false
}

/** Coins that have rows in the published file. */
async function entitiesOf(lake: Lake, key: string): Promise<string[]> {
  const sql = 'SELECT DISTINCT coin_id FROM market_chart ORDER BY ALL'
  const words = ['query', '--format', 'json', sql]
  const { stdout, stderr } = await lake.start(words, { COINLAKE_API_KEY: key }).ended
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { coin_id: string }[]).map(({ coin_id }) => coin_id).toSorted()
}

/** Command lines of all processes that name the folder, and environments of those that outlive the command. */
async function watchProcesses(
  folder: string,
  ownPid: number,
  signal: AbortSignal,
): Promise<{ commandLines: Set<string>; environments: Set<string> }> {
  const commandLines = new Set<string>()
  const environments = new Set<string>()
  let ownLine = ''
  while (!signal.aborted) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        if (!line.includes(folder)) continue
        commandLines.add(line)
        if (Number(pid) === ownPid) ownLine = line
        // A process that was forked and is not replaced yet is a copy of the command itself.
        if (Number(pid) === ownPid || line === ownLine) continue
        environments.add(readFileSync(`/proc/${pid}/environ`, 'utf8'))
      } catch {
        // The process has ended meanwhile.
      }
    }
    await sleep(LOOK_EVERY_MS)
  }
  return { commandLines, environments }
}
