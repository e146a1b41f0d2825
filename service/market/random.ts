/** Multipliers of a 32-bit mixer. Every input bit affects every output bit. */
const MIX_A = 0x7feb352d
const MIX_B = 0x846ca68b
/** Odd and far from any simple ratio, so that neighbouring indexes end up far apart. */
const INDEX_STEP = 0x9e3779b1
const TWO_POW_32 = 2 ** 32
const TWO_POW_16 = 2 ** 16

/**
 * The stream of random numbers for one purpose of one seed: `streamSeed(seed, 'hour', coinIndex)`. The number at an index of
 * it is always the same.
 */
export function streamSeed(seed: number, purpose: string, index = 0): number {
  let hash = mix(seed | 0)
  for (const letter of purpose) hash = mix(hash ^ letter.codePointAt(0)!)
  return mix(hash ^ Math.imul(index + 1, INDEX_STEP))
}

/** Uniform in [0, 1). */
export function uniform(source: number, index: number): number {
  return bits(source, index) / TWO_POW_32
}

/** Whole number in [0, below). */
export function wholeBelow(source: number, index: number, below: number): number {
  return Math.floor(uniform(source, index) * below)
}

/**
 * Nearly normal, with mean 0 and deviation 1, and within 3.5. A sum of four uniforms: Math.log and Math.cos may differ in
 * the last bit between machines.
 */
export function gaussian(source: number, index: number): number {
  const first = bits(source, index)
  const second = mix(first ^ INDEX_STEP) >>> 0
  const sum = (first >>> 16) + (first & 0xffff) + (second >>> 16) + (second & 0xffff)
  // Four uniforms on [0, 65535]: mean 2 * 65535, variance 65535^2 / 3.
  return (sum / TWO_POW_16 - 2) * Math.sqrt(3)
}

/** Uniform over unsigned 32-bit integers. */
function bits(source: number, index: number): number {
  const high = Math.floor(index / TWO_POW_32)
  return mix(mix(source ^ Math.imul(index | 0, INDEX_STEP)) ^ high) >>> 0
}

function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), MIX_A)
  hash = Math.imul(hash ^ (hash >>> 15), MIX_B)
  return hash ^ (hash >>> 16)
}
