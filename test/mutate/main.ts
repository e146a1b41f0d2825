// npm run mutate [room ...] [-- --of N]: changes the code of a room at one place after another and runs the room's tests
// (StrykerJS); a change that no test meets survives, and is printed with its place. With --of N one file of N is taken,
// spread over the room, as the whole of sinks/ or datasets/ takes hours. Sentences (ignore-prose.ts) and mutants that
// only the loading of a module meets are left out. TMPDIR=/dev/shm saves the waiting for disks. Apart from npm test:
// StrykerJS and its 140 packages come from the package registry into the user's cache. Exit code 1: a room is below the
// goal.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheDir } from '../../engine/engine-env.ts'
import { REPOSITORY } from '../docs/page-text.ts'
import { ROOMS } from './rooms.ts'

const VERSION = '10.1.1'
const USAGE_EXIT_CODE = 2
/** So many mutants of a hundred are to be killed in each room. */
const GOAL_PERCENT = 85

/** The part of StrykerJS's report that is read here. */
interface Report {
  files: Record<string, { mutants: Mutant[] }>
}
interface Mutant {
  status: string
  mutatorName: string
  replacement?: string
  location: { start: { line: number; column: number } }
}

process.exitCode = main()

function main(): number {
  const { values, positionals } = parseArgs({
    options: { of: { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !(name in ROOMS))
  if (unknown.length > 0) {
    console.error(`no room ${unknown.join(', ')}; there are: ${Object.keys(ROOMS).join(', ')}`)
    return USAGE_EXIT_CODE
  }
  const rooms = positionals.length > 0 ? positionals : Object.keys(ROOMS)
  const scores = rooms.map((room) => scoreOf(room, Number(values.of)))
  console.table(scores)
  return scores.some((score) => score['killed, %'] < GOAL_PERCENT) ? 1 : 0
}

/** Mutates one file of `of` in a room, prints the mutants that live, and gives the room's score. */
function scoreOf(room: string, of: number) {
  const dir = installedStryker()
  const files = oneOf(filesOf(room), of)
  const name = room.replace('/', '-')
  const [settings, report] = [join(dir, `${name}.json`), join(dir, `${name}-report.json`)]
  const options = {
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutate/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'ignore-prose.ts')],
    ignorers: ['prose'],
    // Tables of descriptions are made once, when a module is loaded.
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: 3000,
    dryRunTimeoutMinutes: 30,
    mutate: files,
    // The instrumenter would read TypeScript's API, which TypeScript 7 has not.
    tsconfigFile: 'none',
    tempDirName: '.cache/mutate',
    ignorePatterns: ['.cache', 'dist', 'docs/pictures'],
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
  }
  writeFileSync(settings, JSON.stringify(options))
  const stryker = join(dir, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const env = { ...process.env, COINLAKE_MUTATE_ROOM: room }
  const startedMs = Date.now()
  spawnSync(process.execPath, [stryker, 'run', settings], {
    cwd: REPOSITORY,
    env,
    stdio: 'inherit',
  })
  const { files: byFile } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const counts = { killed: 0, survived: 0, 'no test reaches': 0 }
  for (const [file, { mutants }] of Object.entries(byFile)) {
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (status === 'Ignored' || status === 'CompileError') continue
      if (status !== 'Survived' && status !== 'NoCoverage') {
        counts.killed += 1
        continue
      }
      counts[status === 'Survived' ? 'survived' : 'no test reaches'] += 1
      const { line, column } = location.start
      console.log(`${status}: ${file}:${line}:${column} ${mutatorName} -> ${replacement ?? ''}`)
    }
  }
  const all = counts.killed + counts.survived + counts['no test reaches']
  return {
    room,
    files: files.length,
    mutants: all,
    'killed, %': Math.round((1000 * counts.killed) / Math.max(1, all)) / 10,
    ...counts,
    seconds: Math.round((Date.now() - startedMs) / 1_000),
  }
}

function filesOf(room: string): string[] {
  const patterns = ROOMS[room]?.mutate ?? []
  const exclude = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
  const wanted = patterns.filter((one) => !one.startsWith('!'))
  return globSync(wanted, { cwd: REPOSITORY, exclude })
}

/** A folder in the user's cache that has StrykerJS, with the vitest of this project. */
function installedStryker(): string {
  const dir = join(cacheDir(process.env), `stryker-${VERSION}`)
  if (!existsSync(join(dir, 'node_modules/@stryker-mutator/vitest-runner'))) {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'package.json'), '{ "private": true }')
    const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)
    execFileSync('npm', ['install', '--legacy-peer-deps', ...packages], {
      cwd: dir,
      stdio: 'inherit',
    })
  }
  // Each checkout links its own vitest.
  const vitest = join(dir, 'node_modules/vitest')
  rmSync(vitest, { force: true })
  symlinkSync(join(REPOSITORY, 'node_modules/vitest'), vitest)
  return dir
}

/** One of `of` files, the same ones each time, in an order that has nothing to do with their names. */
function oneOf(files: readonly string[], of: number): string[] {
  const key = (file: string): string => createHash('sha256').update(file).digest('hex')
  return files
    .toSorted((a, b) => key(a).localeCompare(key(b)))
    .filter((_, place) => place % of === 0)
}
