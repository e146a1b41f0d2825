import { z } from 'zod'

const MAX_WAIT_MS = 3_600_000

export function waitOption(description: string, defaultMs: number) {
  return numberOption(description, { min: 0, max: MAX_WAIT_MS, fallback: defaultMs })
}

/** A whole number with bounds, both inclusive. */
export function numberOption(
  description: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
) {
  return z.int().min(min).max(max).default(fallback).describe(description)
}

/** The share of an answer's points or rows that a fault changes; at least one. */
export function shareOption() {
  return z.number().gt(0).max(1).default(0.1).describe('share of the points or rows, at least one')
}

export function choiceOption<const W extends readonly [string, ...string[]]>(
  description: string,
  words: W,
) {
  return z
    .enum(words)
    .default(words[0])
    .describe(`${description}: ${words.join(', ')}`)
}
