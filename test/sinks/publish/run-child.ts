import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A script beside this file, as a path. */
function childPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

export interface ChildResult {
  signal: string | null
  stdout: string
  stderr: string
}

/** Runs a script of this folder to its end, however it ends. */
export function runChild(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ChildResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [childPath(name), ...args],
      { env: { ...process.env, ...env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => resolve({ signal: error?.signal ?? null, stdout, stderr }),
    )
  })
}

/** Starts a script of this folder that says a first line and then waits for its input to end. */
export async function startChild(
  name: string,
  args: readonly string[],
): Promise<{ finish(): Promise<string> }> {
  const child = spawn(process.execPath, [childPath(name), ...args])
  let text = ''
  const firstLine = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString()
      if (text.includes('\n')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await firstLine
  return {
    async finish() {
      child.stdin.end()
      await ended
      return text.slice(text.indexOf('\n') + 1)
    },
  }
}
