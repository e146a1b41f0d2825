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
  body: Uint8Array
  /** The compressed body, when the service sent it whole in one encoding; else null. */
  encoded: EncodedBody | null
}

/** A body may have at most this many encodings. A header has room for 3,000 names, and each decoder takes 100 kB. */
const MAX_ENCODINGS = 3

export class BodyTooLarge extends RangeError {
  constructor(maxBytes: number) {
    super(`the body is larger than ${formatSize(maxBytes)}`)
    this.name = 'BodyTooLarge'
  }
}

export interface BodyBound {
  maxBytes: number
  /** true: a larger body is cut after this many bytes; false: it is an error. */
  isCut: boolean
}

/**
 * Reads and decodes a body piece by piece. Decoding stops at the bound, however large a small body would become.
 *
 * @throws BodyTooLarge, the errors of the stream and of zlib, TypeError for an unknown encoding or too many
 */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  { maxBytes, isCut }: BodyBound,
): Promise<ReadBody> {
  const chunks: Uint8Array[] = []
  const keptEncoding = isCut
    ? undefined
    : KEPT_ENCODINGS.find((name) => name === encodingsOf(encoding).join())
  const sent: Uint8Array[] = []
  if (keptEncoding !== undefined) stream.on('data', (chunk: Uint8Array) => sent.push(chunk))
  let sizeBytes = 0
  for await (const chunk of decoded(stream, encoding) as AsyncIterable<Uint8Array>) {
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

/** The stream through the decoders of its encodings. A fault of one decoder ends all. */
function decoded(stream: Readable, encoding: string | undefined): Readable {
  const names = encodingsOf(encoding)
  const unknown = names.find((name) => !Object.hasOwn(DECODERS, name))
  if (unknown !== undefined || names.length > MAX_ENCODINGS) {
    // Ends the connection. Without the listener, an error of the stream would be thrown.
    stream.on('error', () => undefined).destroy()
    throw new TypeError(
      unknown === undefined
        ? `${names.length} content encodings, and at most ${MAX_ENCODINGS} are decoded`
        : `unknown content encoding ${JSON.stringify(unknown)}`,
    )
  }
  return names.reduce<Readable>((from, name) => {
    // Faults reach the reader of the last stream.
    return pipeline(from, DECODERS[name]!(), () => undefined)
  }, stream)
}

/** The encodings in the order of decoding: the last one first. */
function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity').toReversed()
}
