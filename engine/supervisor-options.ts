import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Env } from './engine-dirs.ts'

/** What the supervisor is started with: JSON in its one argument. */
export interface SupervisorOptions {
  stateDir: string
  binary: string
  binaryVersion: string
  serverVersion: string
  /** How long the server stays after the last lease has gone. */
  graceMs: number
}

/** Long enough for the next command of somebody at work to find the server still warm. */
const DEFAULT_GRACE_MS = 10_000

/** The grace in `COINLAKE_ENGINE_GRACE_MS` (milliseconds), else 10 s. */
export function graceMsFromEnv(env: Env): number {
  const value = Number(env['COINLAKE_ENGINE_GRACE_MS'] ?? '')
  return Number.isFinite(value) && value > 0 ? value : DEFAULT_GRACE_MS
}

/** The supervisor's script in the form that runs here: .ts in the repository, .js in the package. */
export function supervisorScript(): string {
  const extension = extname(fileURLToPath(import.meta.url))
  return fileURLToPath(new URL(`./supervisor${extension}`, import.meta.url))
}
