/** Times (epoch ms) from the oldest to the newest; the same array when they come so, as they mostly do. */
export function ascending(timesMs: Float64Array): Float64Array {
  for (let i = 1; i < timesMs.length; i++) {
    if (timesMs[i]! < timesMs[i - 1]!) return timesMs.toSorted()
  }
  return timesMs
}
