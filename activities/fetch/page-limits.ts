/** The limits of one page, and its count of calls. */
export interface PageLimits {
  /** After this signal the page's first call does not leave. */
  firstCallBy: AbortSignal
  /** After this later signal its further calls do not leave. A paid answer is thus not wasted. */
  furtherCallsBy: AbortSignal
  /** Whether the page may spend the monthly reserve. */
  mayUseReserve: boolean
  /** Calls of the page so far, with probes and pings. */
  calls: number
  /** Parameters that the source refused for this page. Later pages leave them out at once. */
  leftOut?: readonly string[]
}
