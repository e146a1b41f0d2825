/** Time for reading each publication against its checksums; as long as a person waits. */
export const LOOK_MS = 10_000

/** Time for reading the store, less than the wait of a run that begins meanwhile (CLAIM_WAIT_MS). */
export const STORE_LOOK_MS = 5_000

/** The text for a place that was read only in part; '' for one that was read whole. */
export function unreadPartText(share: number, withinMs: number): string {
  if (share === 1) return ''
  const percent = Math.floor(share * 100)
  return `; ${percent} % of it read in ${withinMs / 1000} s, \`coinlake verify\` reads all`
}
