import { promisify } from 'node:util'
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'
import type { EncodedBody } from '../api/response-body.ts'

/** zstd's fastest level. Levels 2 and 3 take up to twice as long, and make files of charts a tenth larger. */
const COMPRESSION_LEVEL = 1
/** Larger bodies (above 3 ms of work) go to another thread. For smaller ones the trip costs more. */
const DONE_HERE_BYTES = 512 * 1024

const compress = promisify(zstdCompress)
const DECODERS = {
  gzip: { here: gunzipSync, elsewhere: promisify(gunzip) },
  br: { here: brotliDecompressSync, elsewhere: promisify(brotliDecompress) },
  zstd: { here: zstdDecompressSync, elsewhere: promisify(zstdDecompress) },
}

export async function compressBody(body: Uint8Array): Promise<EncodedBody> {
  const options = {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
    pledgedSrcSize: body.byteLength,
    // Answers shrink to less than half, so the result is one chunk. Each further chunk would cost a hand-over.
    chunkSize: 1024 + (body.byteLength >> 1),
  }
  const isSmall = body.byteLength <= DONE_HERE_BYTES
  const bytes = isSmall ? zstdCompressSync(body, options) : await compress(body, options)
  return { encoding: 'zstd', bytes }
}

/** The decoded body; null: the bytes are damaged, or the body has more than `sizeBytes`. */
export async function decodeBody(
  { encoding, bytes }: EncodedBody,
  sizeBytes: number,
): Promise<Buffer | null> {
  const { here, elsewhere } = DECODERS[encoding]
  const bound = { maxOutputLength: Math.max(1, sizeBytes) }
  try {
    return sizeBytes <= DONE_HERE_BYTES ? here(bytes, bound) : await elsewhere(bytes, bound)
  } catch {
    return null
  }
}
