/** Longest wait that a source can impose on us; after it one request asks again. */
export const MAX_BLOCK_MS = 15 * 60_000
/** How long the process waits when the source refuses without a time. */
export const DEFAULT_BLOCK_MS = 60_000
