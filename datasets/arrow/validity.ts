/** Arrow's validity bitmap: bit i is 1 when row i has a value. */
export class Validity {
  readonly bits: Uint8Array
  nullCount = 0

  constructor(rowCount: number) {
    this.bits = new Uint8Array(Math.ceil(rowCount / 8)).fill(0xff)
  }

  static none(rowCount: number): Validity {
    const validity = new Validity(rowCount)
    validity.bits.fill(0)
    validity.nullCount = rowCount
    return validity
  }

  isNull(row: number): boolean {
    return ((this.bits[row >> 3]! >> (row & 7)) & 1) === 0
  }

  /** Marks a row as null. Call once per row. */
  setNull(row: number): void {
    this.bits[row >> 3]! &= ~(1 << (row & 7))
    this.nullCount++
  }
}

/** The nulls for Arrow's makeData. Without a null there is no bitmap, and readers copy faster. */
export function nulls(validity: Validity | undefined): {
  nullCount: number
  nullBitmap: Uint8Array | undefined
} {
  const nullCount = validity?.nullCount ?? 0
  return { nullCount, nullBitmap: nullCount > 0 ? validity!.bits : undefined }
}
