import { spawn } from 'node:child_process'

export interface ProgramOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Written to its standard input. Default: nothing. */
  input?: string
  /** false: only standard error is read, so a child that outlives the program may write on. Default: true. */
  readsOutput?: boolean
  /** The program is ended after this time. */
  timeoutMs: number
  /** The program is ended when its output does not match `pattern` within this time. */
  firstOutput?: { pattern: RegExp; withinMs: number }
  /** Ends the program. */
  signal?: AbortSignal | undefined
}

/** The result of a program. `ok`: exit code 0. */
export interface ProgramResult {
  ok: boolean
  /** Standard output and standard error. */
  output: string
  /** Why the program failed, in one line. */
  reason: string
}

/** Output beyond this is dropped. The `--help` texts that coinlake reads are shorter. */
const MAX_OUTPUT_CHARS = 1024 * 1024
/** The reason quotes this much of the program's last line. */
const MAX_QUOTED_CHARS = 200
/** Time to read the last output after the exit. A child outside the group may keep the pipe open. */
const LAST_OUTPUT_MS = 500

/**
 * Runs a program without a shell, in a process group of its own, so that its children end with it. A program
 * that is missing or fails is a result too, no error.
 *
 * @throws Error when Node.js refuses the arguments, such as an empty name of the program
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { env, input = '', readsOutput = true, timeoutMs, firstOutput, signal }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    env: { ...env },
    stdio: ['pipe', readsOutput ? 'pipe' : 'ignore', 'pipe'],
    detached: true,
  })
  const { promise, resolve } = Promise.withResolvers<ProgramResult>()
  let output = ''
  let endedFor: string | null = null
  const end = (why: string): void => {
    endedFor ??= why
    killGroup(child.pid)
  }
  const settle = (ok: boolean, reason: string): void => {
    resolve({ ok: ok && endedFor === null, output, reason: endedFor ?? reason })
  }
  const settleBy = (code: number | null, by: NodeJS.Signals | null): void => {
    const words = (output.trim().split('\n').at(-1) ?? '').slice(-MAX_QUOTED_CHARS)
    settle(code === 0, `ended with ${code ?? by}${words === '' ? '' : `: ${words}`}`)
  }
  const timers = [setTimeout(() => end(`no end after ${timeoutMs} ms`), timeoutMs)]
  const firstOutputTimer =
    firstOutput &&
    setTimeout(() => end(`no answer within ${firstOutput.withinMs} ms`), firstOutput.withinMs)
  if (firstOutputTimer !== undefined) timers.push(firstOutputTimer)
  const take = (text: string): void => {
    if (output.length < MAX_OUTPUT_CHARS) output += text
    if (firstOutput?.pattern.test(output) === true) clearTimeout(firstOutputTimer)
  }
  const onAbort = (): void => end('not needed any more')
  // A chunk may end within a character, so the stream decodes.
  child.stdout?.setEncoding('utf8').on('data', take)
  child.stderr?.setEncoding('utf8').on('data', take)
  // The program may ignore its input.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  child.once('error', (error) => settle(false, error.message))
  child.once('exit', (code, by) => {
    killGroup(child.pid)
    timers.push(setTimeout(() => settleBy(code, by), LAST_OUTPUT_MS))
  })
  child.once('close', settleBy)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  const result = await promise
  timers.forEach(clearTimeout)
  signal?.removeEventListener('abort', onAbort)
  for (const pipe of child.stdio) pipe?.destroy()
  return result
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
