import { mutated, mutations } from '../proof/mutations.ts'

/** A body that nobody answers who means well. */
export interface HostileBody {
  what: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Texts that grow with their size; each is a whole JSON value. */
const VALUES: Readonly<Record<string, (chars: number) => string>> = {
  'a long text': (n) => `"${'x'.repeat(n)}"`,
  'a text of escapes': (n) => `"${String.raw`\u0000`.repeat(n / 6)}"`,
  'a text of quotes': (n) => `"${String.raw`\"`.repeat(n / 2)}"`,
  'halves of characters': (n) => `"${String.raw`\ud800`.repeat(n / 6)}"`,
  'a text of marks': (n) => `"${'\u202e\u0301'.repeat(n / 5)}"`,
  'a long number': (n) => '7'.repeat(Math.max(1, n)),
  'a long fraction': (n) => `0.${'1'.repeat(Math.max(1, n))}`,
  'a long exponent': (n) => `1e${'9'.repeat(Math.max(1, n))}`,
  'digits in a text': (n) => `"${'9'.repeat(n)}"`,
  'a date that goes on': (n) => `"2024-01-01T00:00:00${'0'.repeat(n)}Z"`,
  'blanks in a text': (n) => `"${' '.repeat(n)}x"`,
  'lists in lists': (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
  'objects in objects': (n) => `${'{"a":'.repeat(n / 6)}1${'}'.repeat(n / 6)}`,
  'many keys': (n) => object(n / 10, (i) => `"k${i}":1`),
  'many keys that are places': (n) => object(n / 10, (i) => `"${i * 7919}":1`),
  'many long keys': (n) => object(n / 110, (i) => `"${'k'.repeat(100)}${i}":1`),
  'one key again and again': (n) => object(n / 6, () => '"k":1'),
  'the key __proto__': (n) => object(n / 20, () => '"__proto__":{"a":1}'),
  'many nulls': (n) => list(n / 5, () => 'null'),
  'many numbers': (n) => list(n / 2, () => '1'),
  'many texts': (n) => list(n / 3, () => '""'),
  'many lists': (n) => list(n / 3, () => '[]'),
  'many objects': (n) => list(n / 3, () => '{}'),
  'many points': (n) => list(n / 20, (i) => `[${1_711_929_600_000 + i},1.5]`),
  'points at one time': (n) => list(n / 20, () => '[1711929600000,1.5]'),
  'many odd points': (n) => list(n / 10, (i) => `["${i}",null]`),
  'many ids': (n) => list(n / 25, (i) => `{"id":"c${i}","symbol":"s"}`),
  'one id again and again': (n) => list(n / 20, () => '{"id":"bitcoin"}'),
}

/** Bodies that are no JSON, or none of UTF-8. */
const TEXTS: Readonly<Record<string, (chars: number) => string>> = {
  'open lists': (n) => '['.repeat(n),
  'open objects': (n) => '{"a":'.repeat(n / 5),
  'open texts': (n) => '"'.repeat(n),
  'only blanks': (n) => ' '.repeat(n),
  'only line breaks': (n) => '\r\n'.repeat(n / 2),
  'only NUL': (n) => '\0'.repeat(n),
  'marks of byte order': (n) => '\uFEFF'.repeat(n / 3),
  ...Object.fromEntries(
    [
      '<title',
      '<title>',
      '<title>x</title',
      'error<',
      'error <b>',
      'error: ',
      '<!doctype ',
      '<',
      '>',
      'too many requests',
      'Throttled ',
      '-',
      '1',
      ',',
      '/',
      ' \t',
      'error 10',
      '\\',
      '&lt;',
    ].map((part) => [
      `${JSON.stringify(part)} again and again`,
      (n: number) => part.repeat(n / part.length),
    ]),
  ),
}

const STATUSES = [200, 200, 200, 404, 429, 500, 502, 401]

const HEADERS = [
  'retry-after',
  'date',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'total',
  'content-type',
  'location',
  'link',
]
/** A server's headers are refused beyond 16 KiB in all. */
const HEADER_CHARS = 12_000
const HEADER_PARTS = [
  '9',
  '-',
  '.',
  ' ',
  'Z',
  '+',
  '0.',
  'e9',
  'Mon, 01 Jan 2024 ',
  '(',
  ':',
  '24:',
  ',',
  '\u00e9',
  'GMT',
  '+00',
]

export interface HostileAnswer extends HostileBody {
  status: number
  headers: Record<string, string>
}

/** Answers to the same request as `body`; equal seeds give equal answers. Bodies stay under `maxBytes`. */
export function* hostileAnswers(
  body: unknown,
  count: number,
  maxBytes: number,
  seed: number,
): Generator<HostileAnswer> {
  const kinds = [...Object.entries(VALUES), ...Object.entries(TEXTS)]
  const isValue = (name: string): boolean => Object.hasOwn(VALUES, name)
  const planted = mutations(body, count, seed)
  for (let i = 0; i < count; i++) {
    const turn = seed + i
    const [name, make] = kinds[turn % kinds.length]!
    // From some bytes to the bound, some of them large: those are what takes long.
    const chars = Math.floor(maxBytes * 0.9 * ((turn * 0.618_034) % 1) ** 4)
    const made = make(chars)
    const status = STATUSES[(turn >> 2) % STATUSES.length]!
    const text = isValue(name) ? place(body, made, planted[i]!.path, turn % 4) : made
    const bytes = new TextEncoder().encode(text).slice(0, maxBytes)
    if (turn % 11 === 0) bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 3)
    yield { what: `${name} (${chars}), HTTP ${status}`, bytes, status, headers: headersOf(turn) }
  }
}

/** A value as the whole body, in place of a part of a good one, or beside it. */
function place(
  body: unknown,
  made: string,
  path: readonly (string | number)[],
  way: number,
): string {
  if (way === 0) return made
  const mark = '\uE000'
  const text = JSON.stringify(mutated(body, { path, value: mark }))
  const at = way === 1 && text.startsWith('{') ? `{"${mark}":"${mark}",${text.slice(1)}` : text
  return at
    .replaceAll(`"${mark}":"${mark}"`, () => `"unknown":${made}`)
    .replace(`"${mark}"`, () => made)
}

function headersOf(turn: number): Record<string, string> {
  const part = HEADER_PARTS[turn % HEADER_PARTS.length]!
  const value = part.repeat(HEADER_CHARS / part.length)
  return { [HEADERS[turn % HEADERS.length]!]: value, 'x-ratelimit-limit': '30' }
}

function list(count: number, item: (index: number) => string): string {
  return `[${Array.from({ length: Math.floor(count) }, (_, i) => item(i)).join(',')}]`
}

function object(count: number, member: (index: number) => string): string {
  return `{${Array.from({ length: Math.floor(count) }, (_, i) => member(i)).join(',')}}`
}
