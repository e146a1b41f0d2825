/** The number of edits (insert, delete, replace, swap neighbours) that turn one word into the other. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length] ?? 0
}

/** One edit per three letters still counts as a typing error. */
const LETTERS_PER_EDIT = 3

/** The known word that was probably meant; null when none is near. Case, `-` and `_` do not matter. */
export function didYouMean(word: string, known: Iterable<string>): string | null {
  const plain = (text: string): string => text.toLowerCase().replaceAll('-', '_')
  let best: string | null = null
  let bestDistance = Infinity
  for (const candidate of known) {
    const distance = editDistance(plain(word), plain(candidate))
    const allowed = Math.max(
      1,
      Math.floor(Math.min(word.length, candidate.length) / LETTERS_PER_EDIT),
    )
    if (distance <= allowed && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The hint for an unknown word: the word that was probably meant, else `otherwise`. */
export function hintFor(word: string, known: Iterable<string>, otherwise: string): string {
  const meant = didYouMean(word, known)
  return meant === null ? otherwise : `Did you mean \`${meant}\`?`
}
