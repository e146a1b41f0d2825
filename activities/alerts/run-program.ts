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

/** The error quotes this much of the program's output. */
const MAX_QUOTED_CHARS = 200
/** Time to read the last output after the exit. A child outside the group may keep the pipe open. */
const LAST_OUTPUT_MS = 500

/**
 * Runs a program without a shell, in a process group of its own, so that its children end with it.
 *
 * @throws Error with the exit and the last output, unless the program exits with 0.
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { env, input, timeoutMs, signal }: ProgramOptions,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output = `${output}${String(chunk)}`.slice(-MAX_QUOTED_CHARS)
  })
  // The program may ignore its input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const endGroup = (): void => killGroup(child.pid)
  const limit = setTimeout(endGroup, timeoutMs)
  signal?.addEventListener('abort', endGroup, { once: true })
  if (signal?.aborted === true) endGroup()
  let lastRead: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const settle = (code: number | null, by: NodeJS.Signals | null): void => {
        if (code === 0) return resolve()
        const how = by === null ? `ended with ${code}` : `was ended by ${by}`
        const words = output.trim()
        reject(new Error(`${program} ${how}${words === '' ? '' : `: ${words}`}`))
      }
      child.once('error', (error) => reject(new Error(`${program}: ${error.message}`)))
      child.once('exit', (code, by) => {
        endGroup()
        lastRead = setTimeout(() => settle(code, by), LAST_OUTPUT_MS)
      })
      child.once('close', settle)
    })
  } finally {
    clearTimeout(limit)
    clearTimeout(lastRead)
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
