import { promisify } from 'node:util'
import {
  constants,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/**
 * zstd's lightest. Charts are digits that repeat little: levels 2 and 3 take up to twice as long and
 * come out larger by a tenth; on other answers all three make the same size.
 */
const COMPRESSION_LEVEL = 1
/** So much takes 3 ms; another thread that is handed less costs this one more than the work itself. */
const SMALL_BYTES = 1024 * 1024
/** Bodies come out three to ten times as large. */
const USUAL_RATIO = 4

/** The body of an answer as it is kept. */
export async function compressBody(body: Uint8Array): Promise<Buffer> {
  const options = {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
    pledgedSrcSize: body.byteLength,
  }
  return body.byteLength <= SMALL_BYTES
    ? zstdCompressSync(body, options)
    : await compress(body, options)
}

/** The body as it came. */
export async function decompressBody(kept: Uint8Array): Promise<Buffer> {
  return kept.byteLength <= SMALL_BYTES / USUAL_RATIO
    ? zstdDecompressSync(kept)
    : await decompress(kept)
}
