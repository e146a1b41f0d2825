import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import { preparedWarehouse } from '../../parts/prepared-warehouse.ts'

const QUIETLY = { stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] }
const IS_ROOT = process.getuid?.() === 0

/** Why root cannot have a read-only mount here; null when it can, or when rights of files are enough. */
function whyNotReadOnly(): string | null {
  if (!IS_ROOT) return null
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-read-only-'))
  try {
    makeReadOnly(dir)()
    return null
  } catch (error) {
    return `no folder can be mounted read-only: ${(error as Error).message.split('\n')[0]}`
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** Nobody can write below the folder, this process included. @returns what undoes it */
function makeReadOnly(dir: string): () => void {
  if (IS_ROOT) {
    // Rights of files do not bind root.
    execFileSync('mount', ['--bind', dir, dir], QUIETLY)
    const undo = () => void execFileSync('umount', ['-l', dir], QUIETLY)
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', dir], QUIETLY)
    } catch (error) {
      undo()
      throw error
    }
    return undo
  }
  const paths = [
    dir,
    ...readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name))),
  ]
  const modes = paths.map((path) => statSync(path).mode)
  const give = (isWritable: boolean): void =>
    paths.forEach((path, index) =>
      chmodSync(path, isWritable ? modes[index]! : modes[index]! & ~0o222),
    )
  give(false)
  return () => give(true)
}

const why = whyNotReadOnly()
const leftOut = why === null ? '' : ` (left out: ${why})`

test.skipIf(why !== null)(
  `a warehouse that is mounted read-only is reported and looked into${leftOut}`,
  async () => {
    const warehouse = await preparedWarehouse(['duckdb'])
    const before = JSON.parse((await warehouse.run('report', '--json')).stdout) as ReportFacts
    const looks = [['gaps', '--json'], ['quarantine', 'list'], ['revisions'], ['plan', '--json']]
    const seen = await Promise.all(looks.map((argv) => warehouse.run(...argv)))
    onTestFinished(makeReadOnly(warehouse.paths.root))
    expect(() => mkdirSync(join(warehouse.paths.root, 'x'))).toThrow(/EROFS|EACCES/)
    const told = await warehouse.run('report', '--json')
    expect(told).toMatchObject({ exitCode: 0, stderr: '' })
    const facts = JSON.parse(told.stdout) as ReportFacts
    expect(facts).toMatchObject({
      source: 'publication',
      notes: [expect.stringMatching(/^looking at the publication of .*: cannot open the store /)],
      gaps: before.gaps,
      coverage: before.coverage,
      freshness: before.freshness,
      // Nobody works there: a run that was begun would else be said to go on.
      run: before.run,
    })
    for (const [index, argv] of looks.entries()) {
      const { exitCode, stdout, stderr } = await warehouse.run(...argv)
      const was = seen[index]!.stdout.replace('"source": "store"', '"source": "publication"')
      expect({ argv, exitCode, stderr }).toEqual({
        argv,
        exitCode: seen[index]!.exitCode,
        stderr: expect.stringContaining('looking at the publication of'),
      })
      if (argv[0] !== 'plan') expect(stdout).toBe(was)
    }
    const { stdout } = await warehouse.run('verify')
    expect(stdout).toMatch(/^store not checked: .*\n.* in the published file/m)
    const page = await warehouse.run('report', '-o', 'page.html')
    expect(page.exitCode).toBe(0)
    expect(readdirSync(warehouse.dir)).toContain('page.html')
  },
)
