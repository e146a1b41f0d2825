import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EnvHttpProxyAgent, request } from 'undici'
import type { BinarySearch } from './binary-search.ts'
import { unpackTarMember } from './unpack-member.ts'

/** Temporal's own download service, the one its SDKs ask. */
const SERVICE = 'https://temporal.download'

interface DownloadInfo {
  archiveUrl?: string
  fileToExtract?: string
}

function asArgument(value: string): string {
  return value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * Downloads the CLI the way Temporal's SDKs do (ask where the archive is, fetch it, unpack it),
 * through the proxy of the environment if there is one.
 *
 * @returns the path of the binary in `search.dir`.
 * @throws Error when the service does not answer within the limit, or answers something else.
 */
export async function fromDownload(search: BinarySearch): Promise<string> {
  const limitMs = search.sayNoWithinMs
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
    const info = JSON.parse(text) as DownloadInfo
    if (info.archiveUrl === undefined || info.fileToExtract === undefined) {
      throw new Error(`GET ${url.href}: names no archive`)
    }
    const archive = join(search.dir, 'temporal.tar.gz')
    const download = await request(info.archiveUrl, { dispatcher, signal: search.signal })
    if (download.statusCode !== 200) {
      throw new Error(`GET ${info.archiveUrl}: status ${download.statusCode}`)
    }
    await pipeline(download.body, createWriteStream(archive))
    const target = join(search.dir, 'temporal')
    await unpackTarMember(archive, new RegExp(`^(\\./)?${asArgument(info.fileToExtract)}$`), target)
    return target
  } finally {
    await dispatcher.destroy()
  }
}
