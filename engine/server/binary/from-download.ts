import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { runProgram } from '../../../config/run-program.ts'
import { toolEnv } from '../../engine-env.ts'
import type { BinaryFetch } from './binary-fetch.ts'

/** Temporal's own download service, which its SDKs use. */
const SERVICE = 'https://temporal.download'
/** Enough for 45 MB on a slow disk. */
const UNPACK_TIMEOUT_MS = 60_000

/**
 * Downloads the CLI as Temporal's SDKs do: asks for the archive's address, fetches and unpacks the archive. Uses the
 * proxy of the environment.
 *
 * @returns the path of the binary in `search.dir`.
 * @throws Error when the service does not answer in time, or names no archive.
 */
export async function fromDownload(search: BinaryFetch): Promise<string> {
  // Loaded here: most commands find a binary and need no download.
  const { EnvHttpProxyAgent, request } = await import('undici')
  const limitMs = search.firstSignWithinMs
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: limitMs },
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
  })
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const platform = process.platform
  const url = new URL(`${search.downloadService ?? SERVICE}/cli/v${search.version}`)
  url.search = new URLSearchParams({ arch, platform, format: 'tar.gz' }).toString()
  try {
    const answer = await request(url, { dispatcher, signal: search.signal })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`GET ${url.href}: status ${answer.statusCode}`)
    const info = JSON.parse(text) as { archiveUrl?: string; fileToExtract?: string }
    if (info.archiveUrl === undefined || info.fileToExtract === undefined) {
      throw new Error(`GET ${url.href}: names no archive`)
    }
    const archive = join(search.dir, 'temporal.tar.gz')
    const download = await request(info.archiveUrl, { dispatcher, signal: search.signal })
    if (download.statusCode !== 200) {
      throw new Error(`GET ${info.archiveUrl}: status ${download.statusCode}`)
    }
    await pipeline(download.body, createWriteStream(archive))
    const unpacked = await runProgram(['tar', '-xzf', archive, '-C', search.dir], {
      env: toolEnv(search.env),
      signal: search.signal,
      timeoutMs: UNPACK_TIMEOUT_MS,
    })
    if (!unpacked.ok) throw new Error(`tar: ${unpacked.reason}`)
    return join(search.dir, info.fileToExtract)
  } finally {
    await dispatcher.destroy()
  }
}
