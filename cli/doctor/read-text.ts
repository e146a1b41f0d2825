/** So long each place is read against its checksums: somebody looks on. */
export const LOOK_MS = 10_000

/** What is said of a place that was not read to its end. */
export function readText(share: number): string {
  if (share === 1) return ''
  const percent = Math.floor(share * 100)
  return `; ${percent} % of it read in ${LOOK_MS / 1000} s, \`coinlake verify\` reads all`
}
