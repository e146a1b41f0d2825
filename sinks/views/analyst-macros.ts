import { candles } from './candles.ts'
import type { AnalystMacro } from './analyst-macro.ts'
import { asOfMacros } from './versions.ts'

/** Every macro that a published file holds. */
export const analystMacros: readonly AnalystMacro[] = [...asOfMacros, candles]
