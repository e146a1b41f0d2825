import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpackTarMember, unpackZipMember } from '../../engine/binary/unpack-member.ts'
import { tarGzOf, zipOf } from './fixtures/archives.ts'
import { tempDir } from '../parts/temp-dir.ts'

/** Sizes around a tar block and a stream chunk. */
const SIZES = [0, 1, 511, 512, 513, 65_536, 300_001]

const FORMATS = [
  ['zip', zipOf, unpackZipMember],
  ['tar.gz', tarGzOf, unpackTarMember],
] as const

test.each(FORMATS)('a member of a %s comes out whole and executable', async (_, pack, unpack) => {
  const dir = tempDir()
  for (const size of SIZES) {
    const content = randomBytes(size)
    const before = randomBytes(size + 700)
    const archive = join(dir, 'archive')
    writeFileSync(archive, pack({ 'a/readme': before, 'bin/temporal': content, z: before }))
    const target = join(dir, `out-${size}`)
    await unpack(archive, /bin\/temporal$/, target)
    expect(readFileSync(target).equals(content)).toBe(true)
    expect(statSync(target).mode & 0o111).toBe(0o111)
  }
})

test.each(FORMATS)(
  'a %s without the member, or no archive at all, is an error',
  async (_, pack, unpack) => {
    const dir = tempDir()
    const archive = join(dir, 'archive')
    writeFileSync(archive, pack({ other: Buffer.from('x') }))
    await expect(unpack(archive, /temporal$/, join(dir, 'out'))).rejects.toThrow(/no member/)
    writeFileSync(archive, 'nothing of that kind')
    await expect(unpack(archive, /temporal$/, join(dir, 'out'))).rejects.toThrow()
  },
)
