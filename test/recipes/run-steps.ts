import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { RecipeStep } from './recipe-steps.ts'

export interface StepsEnded {
  /** The output of each step, of both streams; shorter than the steps when one of them failed. */
  printed: string[]
  /** Exit code of the step that was printed last; null = it took too long. */
  exitCode: number | null
}

/**
 * Runs the steps in one bash, as somebody would who types them one after the other: variables and an
 * activated environment stay. The first command that fails ends it, and whatever still runs then.
 */
export async function runSteps(
  steps: readonly RecipeStep[],
  { cwd, env, timeoutMs }: { cwd: string; env: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<StepsEnded> {
  const folder = mkdtempSync(join(tmpdir(), 'coinlake-recipe-'))
  const outputOf = (index: number): string => join(folder, `${index}.out`)
  const script = steps.map(({ commands }, index) => `exec >${outputOf(index)} 2>&1\n${commands}`)
  const file = join(folder, 'steps.sh')
  writeFileSync(file, ['set -euo pipefail', ...script].join('\n'))
  const stdio = ['ignore', 'ignore', 'ignore'] as const
  const bash = spawn('bash', [file], { cwd, env, stdio: [...stdio], detached: true })
  const timer = setTimeout(() => endGroup(bash.pid), timeoutMs)
  try {
    const [exitCode] = (await once(bash, 'exit')) as [number | null]
    const printed = steps
      .map((_, index) => outputOf(index))
      .filter((output) => existsSync(output))
      .map((output) => stripVTControlCharacters(readFileSync(output, 'utf8')))
    return { printed, exitCode }
  } finally {
    clearTimeout(timer)
    endGroup(bash.pid)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ends what bash began in its process group, a server in the background with it. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM')
  } catch {
    // Nothing of it is left.
  }
}
