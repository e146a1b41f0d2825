import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const gzipAsync = promisify(gzip)

/** Compressing a smaller body costs more than it saves. */
const MIN_GZIP_BYTES = 1_024

export interface EncodedBody {
  bytes: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

/** Compresses when the caller accepts gzip. Fast rather than small: most callers are local. */
export async function encodeBody(
  plain: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<EncodedBody> {
  const bytes = plain as Uint8Array<ArrayBuffer>
  const headers = { vary: 'Accept-Encoding' }
  if (plain.byteLength < MIN_GZIP_BYTES || !acceptsGzip(acceptEncoding)) return { bytes, headers }
  const packed = await gzipAsync(plain, { level: constants.Z_BEST_SPEED })
  return {
    bytes: packed,
    headers: { ...headers, 'content-encoding': 'gzip' },
  }
}

/** Whether Accept-Encoding allows gzip. `*` = every coding that the header does not name. */
function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const accepted = new Map<string, boolean>()
  for (const item of (acceptEncoding ?? '').split(',')) {
    const [coding = '', ...weights] = item.trim().toLowerCase().split(';')
    const isRefused = weights.some((weight) => /^\s*q=0(\.0*)?\s*$/.test(weight))
    accepted.set(coding.trim(), !isRefused)
  }
  return accepted.get('gzip') ?? accepted.get('*') ?? false
}
