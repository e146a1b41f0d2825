/** The limits of one page: how long it may wait for permits, and whether it may use the reserve. */
export interface PageLimits {
  /** The first call of the page leaves before this signal, or never. */
  firstCallBy: AbortSignal
  /** The page's further calls leave before this later signal, so that a paid answer is not wasted. */
  furtherCallsBy: AbortSignal
  /** Whether the page may spend the monthly reserve. */
  mayUseReserve: boolean
  /** Calls that the page has made so far, with its probes and pings. */
  calls: number
  /** Parameters that this page found the source to refuse; later pages leave them out at once. */
  leftOut?: readonly string[]
}
