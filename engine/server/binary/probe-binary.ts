import { runProgram } from '../../../config/run-program.ts'
import { type Env, toolEnv } from '../../engine-env.ts'

/** A Temporal CLI with all the options that coinlake needs. */
export interface ServerBinary {
  path: string
  /** Version of the CLI; `0.0.0-DEV` when it was built from source. */
  version: string
  /** Version of the server inside it. */
  serverVersion: string
}

const PROBE_TIMEOUT_MS = 10_000

/** Flags with which coinlake starts the server. */
const NEEDED_FLAGS = ['--headless', '--db-filename', '--dynamic-config-value', '--sqlite-pragma']

/**
 * Reads a binary's version, and its options from its help, because a build from source has no version to compare. Takes
 * at most two times 10 s.
 *
 * @throws Error with the reason why the binary is unusable.
 */
export async function probeBinary(path: string, env: Env): Promise<ServerBinary> {
  const options = { env: toolEnv(env), timeoutMs: PROBE_TIMEOUT_MS }
  const version = await runProgram([path, '--version'], options)
  const [, cli, server] = /temporal version (\S+) \(Server ([^,)\s]+)/i.exec(version.output) ?? []
  if (!version.ok || cli === undefined || server === undefined) {
    throw new Error(`${path} --version does not answer as the Temporal CLI does: ${version.reason}`)
  }
  const start = await runProgram([path, 'server', 'start-dev', '--help'], options)
  const missing = NEEDED_FLAGS.filter((flag) => !start.output.includes(flag))
  if (missing.length > 0) {
    throw new Error(`${path} is Temporal CLI ${cli}, which lacks ${missing.join(', ')}`)
  }
  return { path, version: cli, serverVersion: server }
}
