import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { formatSize } from '../config/values/size.ts'

export const ACCEPT_ENCODING = 'gzip, br, zstd'

/** Size of the pieces of a decoded body. Each piece is a trip to another thread. */
const CHUNK = { chunkSize: 64 * 1024 }

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(CHUNK),
  'x-gzip': () => createGunzip(CHUNK),
  deflate: () => createInflate(CHUNK),
  br: () => createBrotliDecompress(CHUNK),
  zstd: () => createZstdDecompress(CHUNK),
}

/** The encodings whose compressed bodies are kept as they came. */
const KEPT_ENCODINGS = ['gzip', 'br', 'zstd'] as const

export interface EncodedBody {
  encoding: (typeof KEPT_ENCODINGS)[number]
  bytes: Uint8Array
}

export interface ReadBody {
  /** Decoded. */
  body: Uint8Array
  /** The compressed body, when the service sent it whole in one encoding; else null. */
  encoded: EncodedBody | null
}

export class BodyTooLarge extends RangeError {
  constructor(maxBytes: number) {
    super(`the body is larger than ${formatSize(maxBytes)}`)
    this.name = 'BodyTooLarge'
  }
}

interface BodyBound {
  maxBytes: number
  /** true: a larger body is cut after this many bytes; false: it is an error. */
  isCut: boolean
}

/**
 * Reads and decodes a body piece by piece. Decoding stops at the bound, however large a small body would become.
 *
 * @throws BodyTooLarge, the errors of the stream and of zlib, TypeError for an unknown encoding or several
 */
export async function readBody(
  stream: Readable,
  header: string | undefined,
  { maxBytes, isCut }: BodyBound,
): Promise<ReadBody> {
  const name = (header ?? '').trim().toLowerCase()
  const keptEncoding = isCut ? undefined : KEPT_ENCODINGS.find((kept) => kept === name)
  const chunks: Uint8Array[] = []
  const sent: Uint8Array[] = []
  if (keptEncoding !== undefined) stream.on('data', (chunk: Uint8Array) => sent.push(chunk))
  let sizeBytes = 0
  for await (const chunk of decoded(stream, name) as AsyncIterable<Uint8Array>) {
    const left = maxBytes - sizeBytes
    if (chunk.byteLength > left && !isCut) throw new BodyTooLarge(maxBytes)
    const part = chunk.subarray(0, left)
    sizeBytes += part.byteLength
    chunks.push(part)
    if (isCut && sizeBytes === maxBytes) break
  }
  const encoded =
    keptEncoding === undefined ? null : { encoding: keptEncoding, bytes: Buffer.concat(sent) }
  return { body: Buffer.concat(chunks, sizeBytes), encoded }
}

/** The stream through the decoder of its encoding. */
function decoded(stream: Readable, encoding: string): Readable {
  if (encoding === '' || encoding === 'identity') return stream
  if (!Object.hasOwn(DECODERS, encoding)) {
    // Ends the connection. Without the listener, an error of the stream would be thrown.
    stream.on('error', () => undefined).destroy()
    throw new TypeError(`unknown content encoding ${JSON.stringify(encoding)}`)
  }
  // Faults reach the reader of the last stream.
  return pipeline(stream, DECODERS[encoding]!(), () => undefined)
}
