import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Gives a DuckDB file another storage version. Its first 4 KiB carry a checksum: an XOR over all
 * 64-bit words after it, each multiplied by a constant.
 */
export function setStorageVersion(file: string, version: number): void {
  const bytes = readFileSync(file)
  const header = bytes.subarray(0, 4_096)
  header.writeUInt32LE(version, 12)
  let checksum = 5_381n
  for (let at = 8; at < header.length; at += 8) {
    checksum ^= BigInt.asUintN(64, header.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n)
  }
  header.writeBigUInt64LE(checksum, 0)
  writeFileSync(file, bytes)
}
