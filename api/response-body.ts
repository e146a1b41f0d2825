import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { formatSize } from '../config/values/size.ts'

/** The encodings that coinlake can undo, as the Accept-Encoding header lists them. */
export const ACCEPT_ENCODING = 'gzip, br, zstd'

/** Pieces in which a body comes out of a decoder: each is a trip to another thread. */
const CHUNK = { chunkSize: 64 * 1024 }

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(CHUNK),
  'x-gzip': () => createGunzip(CHUNK),
  deflate: () => createInflate(CHUNK),
  br: () => createBrotliDecompress(CHUNK),
  zstd: () => createZstdDecompress(CHUNK),
}

/** The encodings in which a body is worth keeping as it came. */
const KEPT_ENCODINGS = ['gzip', 'br', 'zstd'] as const

/** A body in one encoding. */
export interface EncodedBody {
  encoding: (typeof KEPT_ENCODINGS)[number]
  bytes: Uint8Array
}

/** A body that was read and decoded; also as it came, where the service sent it whole in one encoding. */
export interface ReadBody {
  body: Uint8Array
  encoded: EncodedBody | null
}

/** A header of 16 KiB has room for three thousand names, and each decoder takes 100 kB. */
const MAX_ENCODINGS = 3

/** The body is larger than `max_body`. */
export class BodyTooLarge extends RangeError {
  constructor(maxBytes: number) {
    super(`the body is larger than ${formatSize(maxBytes)}`)
    this.name = 'BodyTooLarge'
  }
}

export interface BodyBound {
  /** Bytes at most, decoded. */
  maxBytes: number
  /** A larger body is left after this many bytes; otherwise it is an error. */
  isCut: boolean
}

/**
 * Reads a body and undoes its content encoding on the way, so that no more than the bound and a chunk is
 * ever held, whatever a small archive becomes.
 *
 * @throws BodyTooLarge, the errors of the stream and of zlib, TypeError for an unknown encoding.
 */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  { maxBytes, isCut }: BodyBound,
): Promise<ReadBody> {
  const chunks: Uint8Array[] = []
  const kept = isCut
    ? undefined
    : KEPT_ENCODINGS.find((name) => name === encodingsOf(encoding).join())
  const sent: Uint8Array[] = []
  if (kept !== undefined) stream.on('data', (chunk: Uint8Array) => sent.push(chunk))
  let sizeBytes = 0
  for await (const chunk of decoded(stream, encoding) as AsyncIterable<Uint8Array>) {
    const left = maxBytes - sizeBytes
    if (chunk.byteLength > left && !isCut) throw new BodyTooLarge(maxBytes)
    const kept = chunk.subarray(0, left)
    sizeBytes += kept.byteLength
    chunks.push(kept)
    if (isCut && sizeBytes === maxBytes) break
  }
  const encoded = kept === undefined ? null : { encoding: kept, bytes: Buffer.concat(sent) }
  return { body: Buffer.concat(chunks, sizeBytes), encoded }
}

/** The stream through the decoders of its encodings. A fault of any of them ends all of them. */
function decoded(stream: Readable, encoding: string | undefined): Readable {
  const names = encodingsOf(encoding)
  const unknown = names.find((name) => !Object.hasOwn(DECODERS, name))
  if (unknown !== undefined || names.length > MAX_ENCODINGS) {
    // The connection is of no more use, and an error of its own would find no reader.
    stream.on('error', () => undefined).destroy()
    const what = unknown ?? `${names.length} times`
    throw new TypeError(`unknown content encoding ${JSON.stringify(what)}`)
  }
  return names.reduce<Readable>((from, name) => {
    // The reader of the last one hears of faults.
    return pipeline(from, DECODERS[name]!(), () => undefined)
  }, stream)
}

/** Encodings in the order in which they are undone: the last applied first. */
function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity').toReversed()
}
