import { z } from 'zod'

const MAX_WAIT_MS = 3_600_000

/** A delay in milliseconds. */
export function waitOption(description: string, defaultMs: number) {
  return numberOption(description, { min: 0, max: MAX_WAIT_MS, fallback: defaultMs })
}

/** A whole number with bounds, both inclusive. */
export function numberOption(
  description: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .int({ error })
    .min(min, { error })
    .max(max, { error })
    .default(fallback)
    .describe(description)
}

/** The share of an answer's points or rows that a fault changes; at least one. */
export function shareOption() {
  const error = 'must be a number above 0 and up to 1'
  return z
    .number({ error })
    .gt(0, { error })
    .max(1, { error })
    .default(0.1)
    .describe('share of the points or rows, at least one')
}

/** One of several words. */
export function choiceOption<const W extends readonly [string, ...string[]]>(
  description: string,
  words: W,
) {
  const error = `must be one of ${words.join(', ')}`
  return z
    .enum(words, { error })
    .default(words[0])
    .describe(`${description}: ${words.join(', ')}`)
}
