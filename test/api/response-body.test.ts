import { Readable } from 'node:stream'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { BodyTooLarge, readBody } from '../../api/response-body.ts'

const MIB = 1024 * 1024
/** Far more than a bound of a MiB needs, in a few hundred bytes. */
const BOMB_BYTES = 512 * MIB

/** Pieces of a body, and how many of them were taken. */
function pieces(body: Uint8Array, pieceBytes = 1024): { stream: Readable; taken: () => number } {
  let taken = 0
  function* each(): Generator<Uint8Array> {
    for (let at = 0; at < body.byteLength; at += pieceBytes) {
      taken++
      yield body.subarray(at, at + pieceBytes)
    }
  }
  return { stream: Readable.from(each(), { objectMode: false }), taken: () => taken }
}

const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

test.each([
  ['gzip', gzipSync(Buffer.alloc(BOMB_BYTES), { level: 1 })],
  ['br', brotliCompressSync(Buffer.alloc(BOMB_BYTES), quick)],
])('a bomb in %s is left at the bound, most of it unread and not unpacked', async (name, bomb) => {
  const before = process.memoryUsage()
  const { stream, taken } = pieces(bomb, Math.ceil(bomb.byteLength / 100))
  const read = readBody(stream, name, { maxBytes: MIB, isCut: false })
  await expect(read).rejects.toThrow(BodyTooLarge)
  await expect(read).rejects.toThrow('larger than 1MiB')
  await vi.waitFor(() => expect(stream.destroyed).toBe(true))
  expect(taken()).toBeLessThan(90)
  const after = process.memoryUsage()
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(32 * MIB)
})

test('a body of the bound is whole, one byte more is too much, plain and packed', async () => {
  const body = Buffer.alloc(MIB, 'x')
  const bound = { maxBytes: MIB, isCut: false }
  for (const [encoding, pack] of [
    ['', (bytes: Buffer) => bytes],
    ['gzip', gzipSync],
  ] as const) {
    const { body: whole } = await readBody(pieces(pack(body)).stream, encoding, bound)
    expect(Buffer.from(whole).equals(body)).toBe(true)
    const more = pieces(pack(Buffer.alloc(MIB + 1, 'x'))).stream
    await expect(readBody(more, encoding, bound)).rejects.toThrow(BodyTooLarge)
  }
})

test.each([
  ['gzip', gzipSync, true],
  ['BR', brotliCompressSync, true],
  ['zstd', zstdCompressSync, true],
  ['deflate', deflateSync, false],
  ['X-GZIP', gzipSync, false],
  ['identity', (bytes: Buffer) => bytes, false],
  ['', (bytes: Buffer) => bytes, false],
])(
  'a body in %j is decoded, and kept as it came where that is one encoding',
  async (name, pack, isKept) => {
    const body = Buffer.from(JSON.stringify(Array.from({ length: 9_000 }, (_, i) => i)))
    const sent = pack(body)
    const read = await readBody(pieces(sent).stream, name, { maxBytes: MIB, isCut: false })
    expect(Buffer.from(read.body).equals(body)).toBe(true)
    const { encoded } = read
    expect(encoded?.encoding ?? null).toBe(isKept ? name.toLowerCase() : null)
    if (encoded !== null) expect(Buffer.from(encoded.bytes).equals(sent)).toBe(true)
  },
)

test('of a cut body the start is given, and nobody waits for its end', async () => {
  const endless = new Readable({ read: () => undefined })
  endless.push('x'.repeat(100))
  const { body: start } = await readBody(endless, undefined, { maxBytes: 64, isCut: true })
  expect(start.byteLength).toBe(64)
  expect(endless.destroyed).toBe(true)
  const packed = pieces(gzipSync(Buffer.alloc(BOMB_BYTES), { level: 1 })).stream
  const { body: unpacked } = await readBody(packed, 'gzip', { maxBytes: 64, isCut: true })
  expect(Buffer.from(unpacked).equals(Buffer.alloc(64))).toBe(true)
})

test('an archive that breaks off is no shorter body', async () => {
  const half = gzipSync('{"prices":[]}').subarray(0, 15)
  const read = readBody(pieces(half).stream, 'gzip', { maxBytes: MIB, isCut: false })
  await expect(read).rejects.toMatchObject({ code: 'Z_BUF_ERROR' })
})

test.each([
  ['compress', 'unknown content encoding "compress"'],
  ['__proto__', 'unknown content encoding "__proto__"'],
  ['gzip, gzip', 'unknown content encoding "gzip, gzip"'],
])('a content encoding that is not undone is named', async (encoding, message) => {
  const { stream } = pieces(Buffer.from('x'))
  const read = readBody(stream, encoding, { maxBytes: MIB, isCut: false })
  await expect(read).rejects.toThrow(message)
  expect(stream.destroyed).toBe(true)
})
