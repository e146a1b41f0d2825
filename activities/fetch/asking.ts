/** How long a page may wait for its permits, and what it may spend. One for each page. */
export interface Asking {
  /** The first call of the page leaves before this fires, or not at all. */
  over: AbortSignal
  /** The same of its further calls: an answer that was paid for is brought home first. */
  stopped: AbortSignal
  /** Whether it may spend what backfills leave alone of a month. */
  mayUseReserve: boolean
  /** Calls that the page has made so far. */
  calls: number
}
