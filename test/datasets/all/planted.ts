/** A JSON value that is no object and no list, or an empty one, with the pattern of its path. */
export interface Leaf {
  /** `$.coins[*].item.id`: list places are told by a star, keys as they are. */
  pattern: string
  value: unknown
}

/** Every leaf of a body, in order. */
export function leavesOf(body: unknown): Leaf[] {
  const leaves: Leaf[] = []
  replaceLeaves(body, (value, pattern) => {
    leaves.push({ pattern, value })
    return value
  })
  return leaves
}

/** A copy of a body with each leaf replaced. */
export function replaceLeaves(
  body: unknown,
  replace: (value: unknown, pattern: string) => unknown,
  pattern = '$',
): unknown {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) {
    return replace(body, pattern)
  }
  if (Array.isArray(body)) return body.map((item) => replaceLeaves(item, replace, `${pattern}[*]`))
  const members = Object.entries(body).map(([key, value]) => {
    return [key, replaceLeaves(value, replace, `${pattern}.${key}`)] as const
  })
  return Object.fromEntries(members)
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/
const ISO_DATE = /^\d{4}-\d\d-\d\d$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const DISPLAY = /^\$[\d,.]+$|^[\d.]+( [A-Z]+)$/
/** Greater numbers are epoch milliseconds, which must stay in their order. */
const LEAST_EPOCH_MS = 1e12
const SECOND_MS = 1000

/** A value of the form of another that stands nowhere else: the n-th one. */
export function marker(value: unknown, n: number): unknown {
  if (typeof value === 'number') return value > LEAST_EPOCH_MS ? value + n : 1_000_000 + n
  if (typeof value !== 'string') return value
  if (ISO_TIME.test(value)) {
    const iso = new Date(Date.UTC(2000, 0, 1) + n * SECOND_MS).toISOString()
    return value.endsWith('Z') ? iso : `${iso.slice(0, -'.000Z'.length)}+00:00`
  }
  if (ISO_DATE.test(value)) return new Date(n * 86_400_000).toISOString().slice(0, 10)
  if (DECIMAL.test(value)) return `${1_000_000 + n}.5`
  if (DISPLAY.test(value))
    return value.startsWith('$') ? `$${n},000` : value.replace(/^\S+/, `${n}.5`)
  return `marker-${n}`
}

/** Values of every form that a field can have, each holding the n-th marker. */
export function markersOfAnyForm(n: number): unknown[] {
  const forms = [
    '',
    1,
    '2024-04-07T16:49:31.736Z',
    '2024-04-08T04:02:01+00:00',
    '2024-04-08',
    '1.5',
    '$1',
  ]
  const plain = forms.map((form) => marker(form, n))
  const [text, number] = plain
  const objects = [
    { id: text },
    { usd: number },
    { some_key: text },
    { times: number, currency: text, percentage: number },
  ]
  return [...plain, [text], ...objects, ...objects.map((object) => [object])]
}
