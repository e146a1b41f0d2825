import { randomOf } from '../parts/random-of.ts'

/** One change of a body. */
export interface Mutation {
  /** In words: where, and what it becomes. */
  what: string
  path: readonly (string | number)[]
  /** Undefined = the key or item is taken out. */
  value: unknown
  /**
   * The body without the item of a list in which the change is, for series without that point in each of
   * the lists; null when the change is in no list, or there is nothing else in it.
   */
  without: unknown
}

const VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  -7,
  0.5,
  1e300,
  2 ** 60,
  '',
  'not a number',
  '12.5',
  '2999-01-01T00:00:00Z',
  [],
  {},
  [null],
  { a: { b: [1] } },
]

/** `count` changes of a body, spread over its places; equal seeds give equal changes. */
export function mutations(body: unknown, count: number, seed: number): Mutation[] {
  const paths = [...places(body, [])]
  const drawn = randomOf(seed)
  const random = (below: number): number => Math.floor(drawn() * below)
  return Array.from({ length: count }, () => {
    const path = paths[random(paths.length)]!
    const value = VALUES[random(VALUES.length)]
    const becomes = value === undefined ? 'taken out' : JSON.stringify(value)
    const what = `$${path.map((step) => `[${JSON.stringify(step)}]`).join('')} ${becomes}`
    return { what, path, value, without: withoutItem(body, path) }
  })
}

/** A copy of the body with the change in it. */
export function mutated(body: unknown, { path, value }: Pick<Mutation, 'path' | 'value'>): unknown {
  if (path.length === 0) return value
  const copy = structuredClone(body)
  const parent = at(copy, path.slice(0, -1)) as Record<string | number, unknown>
  const last = path.at(-1)!
  if (value !== undefined) parent[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete parent[last]
  return copy
}

function* places(value: unknown, path: (string | number)[]): Generator<(string | number)[]> {
  yield path
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* places(item, [...path, index])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* places(item, [...path, key])
  }
}

function at(body: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => (value as never)[step], body)
}

function withoutItem(body: unknown, path: readonly (string | number)[]): unknown {
  const depth = path.findIndex(
    (step, place) => typeof step === 'number' && isList(at(body, path.slice(0, place))),
  )
  if (depth === -1) return null
  const copy = structuredClone(body)
  const list = at(copy, path.slice(0, depth)) as unknown[]
  const index = Number(path[depth])
  const parent = depth === 0 ? null : at(copy, path.slice(0, depth - 1))
  const isSeries = list.every((item) => Array.isArray(item))
  const lists = isSeries && parent !== null ? Object.values(parent as object) : [list]
  for (const one of lists) if (Array.isArray(one)) one.splice(index, 1)
  return copy
}

/** A list of things, not a tuple of values. */
function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'object')
}
