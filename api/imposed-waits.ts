/** Longest wait that a source can impose. After it, one request asks again. */
export const MAX_IMPOSED_WAIT_MS = 15 * 60_000
/** The wait when the source refuses without naming a time. */
export const DEFAULT_BLOCK_MS = 60_000
