import { operations, type OperationId } from '../../../api/operations.ts'
import { datasets } from '../../../datasets/index.ts'
import type { BodyPart } from '../../../datasets/dataset.ts'
import type { RecordField } from '../../../datasets/record/record-field.ts'
import { HUNDRED_DIGITS, type Variation, type Variations } from './variation.ts'

type Json = Record<string, unknown>
/** The value of a field, the `drawn`-th of its body. Undefined: its key is left out. */
type Fill = (field: RecordField, drawn: number) => unknown

/** The steps of a path: `.key`, `.*` for each member of a map, `[*]` for each item of a list. */
const STEPS = /\.\*|\[\*\]|\.[^.[]+/g
/** Before a number that JSON.stringify would write in another form. */
const RAW = '\uE000'
/** A key that nobody documents. */
const UNKNOWN_KEY = 'mood'

/** Values that a field of a type may have and that careless readers change. Texts behind RAW stand in the body as they are. */
const ODD = {
  double: [
    '1e-18',
    '-0.0',
    '18446744073709551616',
    '5E-324',
    '9007199254740993',
    '1.7976931348623157e308',
    // No 0: DuckDB's run-length compression makes -0 of it, or 0 of -0, in the next row.
    '2.5e-7',
  ].map(raw),
  integer: [0, 9007199254740991, -7, raw('7.0')],
  // Any two places of the seven differ within an odd body of each way.
  boolean: [true, true, true, false, true, false, false],
  millis: ['1969-12-31T23:59:59.999Z', '2024-04-08T06:02:01+02:00', '2024-02-29T00:00:00Z'],
  seconds: ['2024-04-08T04:02:01+00:00', '2024-04-08T04:02:01.5Z'],
  epoch_s: [0, 4_102_444_800, 1_621_346_317],
  date: ['1969-12-31', '2024-02-29'],
  json: [{ n: [raw('1.0'), raw('1e21'), null] }, { 't \\ "x"': '\u0001 \u{1f984}' }, { price: [] }],
  string: ['', 'null', '\u{1f984} "q" \'s\' \\', 'two\r\nlines <a href="x">', '0xABCDEF'],
  decimal: [HUNDRED_DIGITS, '1e400', '.5', '-1.5e-7', '00306800.050', raw('12.5')],
  display: [
    '$2,412.46',
    '$0.0<sub title="0.000001532">5</sub>1532',
    '-',
    '',
    '1.5K ETH',
    raw('573'),
  ],
} as const

function raw(text: string): string {
  return `${RAW}${text}`
}

/** The keys that a body needs to be one of its operation. */
const KNOWN_BY: readonly string[] = ['$.name', '$.symbol', '$.data.defi_market_cap']

/** The value of a field whose row would be rejected without it. */
function isRequired({ column, whenMissing }: RecordField): boolean {
  return column.nullable === false && whenMissing === undefined
}

const FILLS: Readonly<Record<string, Fill>> = {
  /** So a column with the value of another one differs from test/proof/expected, which names each key. */
  whole: ownValue,
  nulls: (field, drawn) => (isRequired(field) ? ownValue(field, drawn) : null),
  bare: (field, drawn) => (isRequired(field) ? ownValue(field, drawn) : undefined),
  quoted: quotedValue,
  'odd-1': oddValue,
  'odd-2': (field, drawn) => oddValue(field, drawn + 1),
  'odd-3': (field, drawn) => oddValue(field, drawn + 3),
}

/** Bodies of each operation whose fields a dataset describes, filled in each of the ways above. */
export const MADE_BODIES: Variations = Object.fromEntries(
  datasets.flatMap(({ bodies = {}, leftOut }) =>
    (Object.entries(bodies) as [OperationId, readonly BodyPart[]][]).flatMap(
      ([operation, parts]) => {
        const isLeftOut = ({ at }: BodyPart): boolean =>
          leftOut.some(({ path }) => at.startsWith(`${path}[`))
        return Object.entries(FILLS).map(([way, fill]) => [
          `${fileStem(operation)}-${way}--variation.json`,
          madeBody(
            parts.filter((part) => !isLeftOut(part)),
            fill,
            way.startsWith('odd') ? unknownKeysOf(operation) : null,
          ),
        ])
      },
    ),
  ),
)

export function wholeBodyOf(operation: OperationId): unknown {
  return JSON.parse(MADE_BODIES[`${fileStem(operation)}-whole--variation.json`]!.text)
}

/** The operation as recordings name it: service/recordings/recording-names.ts. */
function fileStem(operation: OperationId): string {
  const named = operation.replace('/{contract_address}', '')
  return named.replaceAll('/', '-').replaceAll(/[{}]/g, '')
}

/** Whether keys that nobody documents stand in the whole body, too. Each page of a listing would have them again. */
function unknownKeysOf(operation: OperationId): { inWhole: boolean } {
  return { inWhole: operations[operation].paging === undefined }
}

function madeBody(
  parts: readonly BodyPart[],
  fill: Fill,
  unknownKeys: { inWhole: boolean } | null,
): Variation {
  let drawn = 0
  // Each list has another length, which columns count.
  const lengths = new Map<string, number>()
  const lengthOf = (path: string): number => {
    lengths.set(path, lengths.get(path) ?? lengths.size + 1)
    return lengths.get(path)!
  }
  const grown = (node: unknown, path: string, steps: string[], field: RecordField): unknown => {
    const [step, ...rest] = steps
    if (step === undefined) {
      drawn += 1
      return KNOWN_BY.includes(`$${path}`) ? ownValue(field, drawn) : fill(field, drawn)
    }
    const at = path + step
    if (step === '[*]') {
      const items = (node ?? []) as unknown[]
      return Array.from({ length: lengthOf(at) }, (_, place) =>
        grown(items[place], at, rest, field),
      )
    }
    const object = (node ?? {}) as Json
    const keys = step === '.*' ? ['usd', 'btc'] : [step.slice(1)]
    const members = keys.map((key) => [key, grown(object[key], at, rest, field)] as const)
    return { ...object, ...Object.fromEntries(members) }
  }
  let body: unknown
  for (const { at, fields, each } of parts) {
    const inEach = each === undefined ? [] : [each === 'map' ? '.*' : '[*]']
    // Members of a map and items of a list are parts of their own.
    for (const field of fields.filter(({ child }) => child === undefined)) {
      const [key, ...inner] = field.path
      const steps = [
        ...(at.match(STEPS) ?? []),
        `.${key}`,
        ...inEach,
        ...inner.map((one) => `.${one}`),
      ]
      body = grown(body, '', steps, field)
    }
  }
  const unknownPaths = unknownKeys === null ? {} : withUnknownKeys(body, parts, unknownKeys)
  return { text: JSON.stringify(body).replaceAll(/"\uE000([^"]*)"/g, '$1'), unknownPaths }
}

/** Gives each described object a key that nobody documents. Returns the paths of these keys, with how often they come. */
function withUnknownKeys(
  body: unknown,
  parts: readonly BodyPart[],
  { inWhole }: { inWhole: boolean },
): Record<string, number> {
  const inner = (part: BodyPart): string[] =>
    part.fields.flatMap(({ path }) => (path.length === 2 ? [`${part.at}.${path[0]}`] : []))
  const described = parts.filter(({ each }) => each === undefined)
  const places = new Set(described.flatMap((part) => [part.at, ...inner(part)]))
  if (!inWhole) places.delete('$')
  const objects = [...places].map(
    (place) => [place, objectsAt(body, place.match(STEPS) ?? [])] as const,
  )
  for (const [, found] of objects) for (const one of found) one[UNKNOWN_KEY] = [1.5]
  return Object.fromEntries(
    objects.map(([place, found]) => [`${place}.${UNKNOWN_KEY}`, found.length]),
  )
}

function objectsAt(node: unknown, [step, ...rest]: readonly string[]): Json[] {
  if (step === undefined) return [node as Json]
  const isEach = step === '[*]' || step === '.*'
  const nodes = isEach ? Object.values(node as Json) : [(node as Json)[step.slice(1)]]
  return nodes.flatMap((one) => objectsAt(one, rest))
}

/** As answers of 2018 have them: numbers and flags as text. */
function quotedValue(field: RecordField, drawn: number): unknown {
  const value = ownValue(field, drawn)
  const { column, isNumberOnly } = field
  const isText = ['double', 'integer', 'boolean'].includes(column.type) && isNumberOnly !== true
  return isText ? String(value) : value
}

function oddValue(field: RecordField, drawn: number): unknown {
  const { column, number, timeText } = field
  // A row is known by such a text.
  if (column.nullable === false && column.type === 'string')
    return `${String(oddOf('string', drawn))} ${drawn}`
  const isCount = number?.column.type === 'integer'
  if (isRequired(field) || isCount) return ownValue(field, drawn)
  return oddOf(number?.text ?? timeText ?? (column.type as keyof typeof ODD), drawn)
}

function oddOf(kind: keyof typeof ODD, drawn: number): unknown {
  const values: readonly unknown[] = ODD[kind]
  return values[drawn % values.length]
}

/** A value that no other number gives. Amounts are never whole, so that a count is no amount. */
function ownValue({ column, number, timeText, path }: RecordField, drawn: number): unknown {
  const amount = drawn + 1 / (drawn + 7)
  if (number?.column.type === 'integer') return String(drawn)
  // More digits than a double has.
  if (number !== undefined) return `${amount}0123456789012345678901`
  const iso = new Date(1_700_000_000_000 + drawn * 1_000).toISOString()
  switch (column.type) {
    case 'double':
      return amount
    case 'integer':
      return drawn
    case 'boolean':
      return drawn % 2 === 0
    case 'timestamp':
      if (timeText === 'epoch_s') return 1_700_000_000 + drawn
      return timeText === 'seconds' ? iso.replace('.000Z', '+00:00') : iso
    case 'date':
      return iso.slice(0, 10)
    case 'json':
      return { [path.at(-1)!]: drawn }
    default:
      return `${path.join(' ')} ü ${drawn}`
  }
}
