import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Ended {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs a program to its end in a folder, whatever its exit code. */
export async function runIn(
  cwd: string,
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  try {
    return { exitCode: 0, ...(await promisify(execFile)(command, args, { cwd, env })) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { exitCode: code, stdout, stderr }
  }
}

/** Would `npm ci` take the lock of a folder? Without a registry, and without touching what is installed. */
export function tryCi(folder: string): Promise<Ended> {
  return runIn(folder, ['npm', 'ci', '--dry-run', '--offline', '--ignore-scripts'])
}
