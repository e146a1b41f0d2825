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

/**
 * zstd's lightest. Charts are digits that repeat little: levels 2 and 3 take up to twice as long and
 * come out larger by a tenth; on other answers all three make the same size.
 */
const COMPRESSION_LEVEL = 1
/** A body this large takes 3 ms; handing a smaller one to another thread costs this one more than the work. */
const SMALL_BYTES = 1024 * 1024

const compress = promisify(zstdCompress)
const DECODERS = {
  gzip: { here: gunzipSync, elsewhere: promisify(gunzip) },
  br: { here: brotliDecompressSync, elsewhere: promisify(brotliDecompress) },
  zstd: { here: zstdDecompressSync, elsewhere: promisify(zstdDecompress) },
}

/** A body that came plain, as it is kept. */
export async function compressBody(body: Uint8Array): Promise<EncodedBody> {
  const options = {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
    pledgedSrcSize: body.byteLength,
  }
  const isSmall = body.byteLength <= SMALL_BYTES
  const bytes = isSmall ? zstdCompressSync(body, options) : await compress(body, options)
  return { encoding: 'zstd', bytes }
}

/** The body; null when the bytes are none that was encoded, or one of more than `sizeBytes`. */
export async function decodeBody(
  { encoding, bytes }: EncodedBody,
  sizeBytes: number,
): Promise<Buffer | null> {
  const { here, elsewhere } = DECODERS[encoding]
  const bound = { maxOutputLength: Math.max(1, sizeBytes) }
  try {
    return sizeBytes <= SMALL_BYTES ? here(bytes, bound) : await elsewhere(bytes, bound)
  } catch {
    return null
  }
}
