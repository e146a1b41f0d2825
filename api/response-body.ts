import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** What we can undo, as the Accept-Encoding header says it. */
export const ACCEPT_ENCODING = 'gzip, br'

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** The body is larger than we take; `sizeBytes` is the limit. */
export class BodyTooLarge extends RangeError {
  constructor(sizeBytes: number) {
    super(`the body is larger than ${sizeBytes} bytes`)
    this.name = 'BodyTooLarge'
  }
}

/**
 * Reads a body to its end and undoes its content encoding. Decompressing at the end and not on the
 * way keeps the errors apart: a cut connection, a cut archive, a body without end.
 *
 * @throws BodyTooLarge, the errors of the stream and of zlib, TypeError for an unknown encoding.
 */
export async function readBody(
  stream: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) throw new BodyTooLarge(maxBytes)
    chunks.push(chunk)
  }
  let body = Buffer.concat(chunks, sizeBytes)
  for (const name of encodingsOf(encoding)) {
    if (!(name in DECODERS)) throw new TypeError(`unknown content encoding ${JSON.stringify(name)}`)
    body = await decode(name as keyof typeof DECODERS, body, maxBytes)
  }
  return body
}

/** Encodings in the order in which they are undone: the last applied first. */
function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity').toReversed()
}

async function decode(
  name: keyof typeof DECODERS,
  body: Buffer<ArrayBuffer>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  try {
    return await DECODERS[name](body, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof RangeError) throw new BodyTooLarge(maxBytes)
    throw error
  }
}
