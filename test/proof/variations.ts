import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EDGES } from './variations/edges.ts'
import { MADE_BODIES } from './variations/made-bodies.ts'
import { SERIES } from './variations/series.ts'
import { SIMPLE } from './variations/simple.ts'
import type { Variations } from './variations/variation.ts'

/**
 * Bodies of every operation with cases that no recording has: nulls, missing and new keys, unordered points, numbers
 * beyond a double, ids with blanks and brackets, empty lists.
 */
export const VARIATIONS: Variations = { ...SIMPLE, ...SERIES, ...EDGES, ...MADE_BODIES }

/** Writes them into a folder as if they had been recorded. */
export function writeVariations(dir: string): void {
  for (const [name, { text }] of Object.entries(VARIATIONS)) writeFileSync(join(dir, name), text)
}
