import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COINS } from './variations/coins.ts'
import { DERIVATIVES } from './variations/derivatives.ts'
import { DETAILS, HISTORIES } from './variations/details.ts'
import { EXCHANGES } from './variations/exchanges.ts'
import { GLOBAL } from './variations/global.ts'
import { SEARCH } from './variations/search.ts'
import { SERIES } from './variations/series.ts'
import { SIMPLE } from './variations/simple.ts'
import { WHOLE_BODIES } from './variations/whole-bodies.ts'
import type { Variations } from './variations/variation.ts'

/**
 * Bodies of every operation with cases that no recording has: nulls, missing and new keys, unordered points, numbers
 * beyond a double, ids with blanks and brackets, empty lists.
 */
export const VARIATIONS: Variations = {
  ...SIMPLE,
  ...COINS,
  ...DETAILS,
  ...HISTORIES,
  ...SERIES,
  ...EXCHANGES,
  ...DERIVATIVES,
  ...SEARCH,
  ...GLOBAL,
  ...WHOLE_BODIES,
}

/** Writes them into a folder as if they had been recorded. */
export function writeVariations(dir: string): void {
  for (const [name, { text }] of Object.entries(VARIATIONS)) writeFileSync(join(dir, name), text)
}
