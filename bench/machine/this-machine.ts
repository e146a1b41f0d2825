import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { BenchRecord } from '../bench-record.ts'

const GIB = 1024 ** 3
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** The machine as a record names it. */
export function thisMachine(): BenchRecord['machine'] {
  return {
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / GIB),
    cpu: cpus()[0]?.model.trim() ?? null,
    os: `${type()} ${release()}`,
    node: process.version,
  }
}

/** The commit that is measured, with `+` where code was changed since; null outside of a clone. */
export function thisCommit(): string | null {
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', REPOSITORY, ...args], { encoding: 'utf8' })
  const head = git('rev-parse', '--short=12', 'HEAD')
  if (head.status !== 0) return null
  // Pages and figures of other benchmarks change nothing that is measured.
  const changes = git('diff', '--quiet', 'HEAD', '--', ':!*.md', ':!bench/results')
  return `${head.stdout.trim()}${changes.status === 0 ? '' : '+'}`
}
