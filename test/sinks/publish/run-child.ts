import { execFile } from 'node:child_process'
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
