import { spawn } from 'node:child_process'
import type { Env } from '../../engine-env.ts'

/** The limits of a command. */
export interface RunOptions {
  env: Env
  /** The command is killed after this time. */
  timeoutMs: number
  /** The command is killed when its output does not match `pattern` within this time. */
  sign?: { pattern: RegExp; withinMs: number }
  signal?: AbortSignal
}

/** The result of a command. `ok`: exit code 0. */
export interface CommandResult {
  ok: boolean
  output: string
  /** Why the command failed, in one line. */
  reason: string
}

/** Output beyond this is dropped; every `--help` is shorter. */
const MAX_OUTPUT_CHARS = 1024 * 1024

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}

/** The environment without coinlake's settings, which may be secrets. */
function withoutOwnSettings(env: Env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COINLAKE_')))
}

/**
 * Runs a command without a shell, in a process group of its own, so that no child outlives the limit. Never throws: a
 * command that cannot be run is a result too.
 */
export function runCommand(
  command: string,
  args: string[],
  options: RunOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    let output = ''
    let killedFor: string | null = null
    const child = spawn(command, args, {
      env: withoutOwnSettings(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const kill = (why: string) => {
      killedFor ??= why
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The process has ended by itself.
      }
    }
    const onAbort = () => kill('not needed any more')
    const timer = setTimeout(() => kill(`no end after ${options.timeoutMs} ms`), options.timeoutMs)
    const signTimer =
      options.sign === undefined
        ? undefined
        : setTimeout(
            () => kill(`no answer within ${options.sign?.withinMs} ms`),
            options.sign.withinMs,
          )
    const take = (chunk: Buffer) => {
      if (output.length < MAX_OUTPUT_CHARS) output += chunk.toString('utf8')
      if (options.sign?.pattern.test(output) === true) clearTimeout(signTimer)
    }
    const settle = (ok: boolean, reason: string) => {
      clearTimeout(timer)
      clearTimeout(signTimer)
      options.signal?.removeEventListener('abort', onAbort)
      resolve({ ok, output, reason: killedFor ?? reason })
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', (error) => settle(false, error.message))
    child.once('close', (code, signal) =>
      settle(
        code === 0 && killedFor === null,
        `${lastLine(output)} (exit ${code ?? signal ?? '?'})`,
      ),
    )
    options.signal?.addEventListener('abort', onAbort)
    if (options.signal?.aborted === true) onAbort()
  })
}
