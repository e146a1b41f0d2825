/** So long each publication is read against its checksums: somebody looks on. */
export const LOOK_MS = 10_000

/** So long the store: a run that begins meanwhile waits for it (IN_BETWEEN_MS), and is to find it free. */
export const STORE_LOOK_MS = 5_000

/** The text for a place that was not read to its end. */
export function readText(share: number, withinMs: number): string {
  if (share === 1) return ''
  const percent = Math.floor(share * 100)
  return `; ${percent} % of it read in ${withinMs / 1000} s, \`coinlake verify\` reads all`
}
