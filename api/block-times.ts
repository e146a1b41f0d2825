/** Longest wait that a source can impose on us; after it one request asks again. */
export const MAX_BLOCK_MS = 15 * 60_000
/** How long we wait when the source says "no more" without saying until when. */
export const DEFAULT_BLOCK_MS = 60_000
