import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { BenchRecord } from '../bench-record.ts'

const GIB = 1024 ** 3
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

export function thisMachine(): BenchRecord['machine'] {
  return {
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / GIB),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    os: `${type()} ${release()}`,
    node: process.version,
  }
}

/**
 * The measured commit; `+` = with uncommitted changes.
 *
 * @throws Error outside of a clone
 */
export function thisCommit(): string {
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', REPOSITORY, ...args], { encoding: 'utf8' })
  const head = git('rev-parse', '--short=12', 'HEAD')
  if (head.status !== 0) throw new Error(`no commit in ${REPOSITORY}: ${head.stderr}`)
  // Changes of pages and of other figures do not change the measured code.
  const changes = git('diff', '--quiet', 'HEAD', '--', ':!*.md', ':!bench/results')
  return `${head.stdout.trim()}${changes.status === 0 ? '' : '+'}`
}
