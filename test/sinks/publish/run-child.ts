import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ChildResult {
  signal: string | null
  stdout: string
  stderr: string
}

/** Runs a script to its end, however it ends. @param name from this folder on */
export function runChild(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ChildResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(new URL(name, import.meta.url)), ...args],
      { env: { ...process.env, ...env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => resolve({ signal: error?.signal ?? null, stdout, stderr }),
    )
  })
}
