import { spawn } from 'node:child_process'

export interface ProgramOptions {
  env: Record<string, string>
  /** Written to its standard input. */
  input: string
  /** The program is ended after this time. */
  timeoutMs: number
  /** Ends the program. */
  signal?: AbortSignal | undefined
}

/** The error quotes this much of the program's last output. */
const MAX_SAID_CHARS = 200
/** After the program's exit its last output is read for this long. A child outside the group may keep the pipe open. */
const LAST_WORDS_MS = 500

/**
 * Runs a program without a shell, in a process group of its own, so that its children end with it.
 *
 * @throws Error with the exit and the last output of a program that did not exit with 0.
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { env, input, timeoutMs, signal }: ProgramOptions,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = `${said}${String(chunk)}`.slice(-MAX_SAID_CHARS)
  })
  // The program may ignore its input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const endGroup = (): void => killGroup(child.pid)
  const limit = setTimeout(endGroup, timeoutMs)
  signal?.addEventListener('abort', endGroup, { once: true })
  if (signal?.aborted === true) endGroup()
  let lastWords: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const settle = (code: number | null, by: NodeJS.Signals | null): void => {
        if (code === 0) return resolve()
        const how = by === null ? `ended with ${code}` : `was ended by ${by}`
        const words = said.trim()
        reject(new Error(`${program} ${how}${words === '' ? '' : `: ${words}`}`))
      }
      child.once('error', (error) => reject(new Error(`${program}: ${error.message}`)))
      child.once('exit', (code, by) => {
        endGroup()
        lastWords = setTimeout(() => settle(code, by), LAST_WORDS_MS)
      })
      child.once('close', settle)
    })
  } finally {
    clearTimeout(limit)
    clearTimeout(lastWords)
    signal?.removeEventListener('abort', endGroup)
    child.stdin.destroy()
    child.stderr.destroy()
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
