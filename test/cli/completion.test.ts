import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commands } from '../../cli/commands/index.ts'
import { runCaptured } from '../parts/run-captured.ts'

/** Typed words, and words that Tab must offer among others. */
const TYPED = [
  ['coinlake ba', 'backfill'],
  ['coinlake get mark', 'market_chart'],
  ['coinlake get market_chart --gran', '--granularity'],
  ['coinlake query --format parq', 'parquet'],
  ['coinlake completion z', 'zsh'],
  ['coinlake backfill --dataset coin_m', 'coin_markets'],
] as const

async function scriptOf(shell: string): Promise<string> {
  const { exitCode, stdout } = await runCaptured(['completion', shell])
  expect(exitCode).toBe(0)
  for (const { name } of commands) expect(stdout).toContain(name)
  return stdout
}

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

/** Asks a shell that has sourced the script what it would offer. */
const ASK: Readonly<Record<string, (script: string, typed: string) => string>> = {
  bash: (script, typed) => `${script}
COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _coinlake; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (script, typed) => `${script}\ncomplete -C '${typed}'`,
}

test.for(Object.keys(ASK))('%s offers what may follow', async (shell, { skip }) => {
  const script = await scriptOf(shell)
  skip(!isThere(shell), `${shell} is not installed`)
  for (const [typed, offered] of TYPED) {
    const { stdout, stderr } = spawnSync(shell, ['-c', ASK[shell]!(script, typed)])
    expect(stderr.toString()).toBe('')
    expect([typed, stdout.toString().split(/[\t\n]/)]).toEqual([
      typed,
      expect.arrayContaining([offered]),
    ])
  }
})

test('zsh reads its script', async ({ skip }) => {
  const script = await scriptOf('zsh')
  skip(!isThere('zsh'), 'zsh is not installed')
  const { status, stderr } = spawnSync('zsh', ['-n'], { input: script })
  expect([status, stderr.toString()]).toEqual([0, ''])
})

test('a shell that is none is told those there are', async () => {
  const { exitCode, stderr } = await runCaptured(['completion', 'csh'])
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/bash, zsh, fish/)])
})
