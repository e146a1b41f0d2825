import { faultKind } from '../fault-kind.ts'

/** HTTP is whole and its length is right: only the JSON has no end. */
export const truncatedJson = faultKind({
  name: 'truncated_json',
  place: 'body',
  about: 'a whole answer whose JSON breaks off somewhere',
  spoil({ bytes, draw }) {
    // At least the first byte, and never the last.
    const length = 1 + Math.floor(draw('length') * (bytes.byteLength - 1))
    return bytes.byteLength < 2 ? null : { bytes: bytes.subarray(0, length) }
  },
})
