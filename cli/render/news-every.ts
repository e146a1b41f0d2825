/** Tells of each text whether it is due: it differs from the last one shown, which is older than `everyMs`. */
export function newsEvery(everyMs: number): (text: string) => boolean {
  let lastMs = -Infinity
  let last = ''
  return (text) => {
    if (performance.now() - lastMs < everyMs || text === last) return false
    lastMs = performance.now()
    last = text
    return true
  }
}
