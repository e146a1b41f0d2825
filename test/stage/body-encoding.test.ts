import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressBody, decodeBody } from '../../stage/body-encoding.ts'

/** More than is compressed or decoded on the main thread. */
const LARGE_BYTES = 2 * 1024 * 1024
const ENCODINGS = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const

test.each(
  ENCODINGS.flatMap(([name, pack]) => [0, 10, LARGE_BYTES].map((n) => [name, n, pack] as const)),
)(
  '%s: a body of %i bytes is decoded; with a byte more, or damaged, it is null',
  async (encoding, sizeBytes, pack) => {
    const body = Buffer.alloc(sizeBytes, 'x')
    const bytes = pack(body)
    expect((await decodeBody({ encoding, bytes }, sizeBytes))?.equals(body)).toBe(true)
    const longer = pack(Buffer.concat([body, Buffer.from('xx')]))
    expect(await decodeBody({ encoding, bytes: longer }, sizeBytes)).toBeNull()
    expect(await decodeBody({ encoding, bytes: bytes.subarray(0, -4) }, sizeBytes)).toBeNull()
    const packed = await compressBody(body)
    expect((await decodeBody(packed, sizeBytes))?.equals(body)).toBe(true)
  },
)
