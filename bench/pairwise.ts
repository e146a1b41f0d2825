/** One value of each factor. */
export type Choice<F extends Record<string, readonly unknown[]>> = {
  [Name in keyof F]: F[Name][number]
}

/**
 * Rows in which each pair of values of two factors occurs: a covering array of strength 2. Each row begins with an
 * uncovered pair, then takes the values that cover most pairs. The same factors give the same rows.
 */
export function pairwise<const F extends Record<string, readonly unknown[]>>(
  factors: F,
): Choice<F>[] {
  const names = Object.keys(factors)
  const open = new Set<string>()
  for (const [place, a] of names.entries()) {
    for (const b of names.slice(place + 1)) {
      for (const i of factors[a]!.keys()) {
        for (const j of factors[b]!.keys()) open.add(pairOf(a, i, b, j))
      }
    }
  }
  const rows: Choice<F>[] = []
  for (const pair of open) {
    const row = new Map(JSON.parse(pair) as [string, number][])
    for (const name of names.filter((one) => !row.has(one))) {
      const closes = (value: number): number =>
        [...row].filter(([other, at]) => open.has(orderedPair(names, other, at, name, value)))
          .length
      const values = [...factors[name]!.keys()]
      row.set(
        name,
        values.reduce(
          (best, value) => (closes(value) > closes(best) ? value : best),
          rows.length % values.length,
        ),
      )
    }
    for (const [a, i] of row) {
      for (const [b, j] of row) if (a !== b) open.delete(orderedPair(names, a, i, b, j))
    }
    rows.push(
      Object.fromEntries(names.map((name) => [name, factors[name]![row.get(name)!]])) as Choice<F>,
    )
  }
  return rows
}

function orderedPair(names: readonly string[], a: string, i: number, b: string, j: number): string {
  return names.indexOf(a) < names.indexOf(b) ? pairOf(a, i, b, j) : pairOf(b, j, a, i)
}

function pairOf(a: string, i: number, b: string, j: number): string {
  return JSON.stringify([
    [a, i],
    [b, j],
  ])
}
