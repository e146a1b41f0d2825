/**
 * A body of a recorded shape that no recording has. As text, because it is the text that is read:
 * numbers with exponents, beyond 2^53, and -0 have no other form.
 */
export interface Variation {
  text: string
  /** Keys in it that nobody documents, by their path in the run's report, with how often they come. */
  unknownPaths?: Readonly<Record<string, number>>
  /** How many rows of it go to quarantine. */
  quarantined?: number
}

/** By file name, which names the operation as recordings do. */
export type Variations = Readonly<Record<string, Variation>>

/** More digits than any number type holds. */
export const HUNDRED_DIGITS =
  '1005246.7629434031910149947068007460178501234567890123456789012345678901234567890123456789012345678901'
