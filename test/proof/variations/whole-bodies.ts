import type { OperationId } from '../../../api/operations.ts'
import { datasets } from '../../../datasets/index.ts'
import type { BodyPart } from '../../../datasets/record/body-part.ts'
import type { RecordField } from '../../../datasets/record/record-field.ts'
import type { Variations } from './variation.ts'

type Json = Record<string, unknown>

/** The steps of a path: `.key`, `.*` for each member of a map, `[*]` for each item of a list. */
const STEPS = /\.\*|\[\*\]|\.[^.[]+/g

/**
 * A body of each operation. Every field that a dataset reads has a value of its own. So a column with the value of
 * another one differs from test/proof/expected, which names each key. A field that no dataset reads leaves a column there
 * without a value.
 */
export const WHOLE_BODIES: Variations = Object.fromEntries(
  datasets
    .flatMap(({ bodies = {} }) => Object.entries(bodies) as [OperationId, readonly BodyPart[]][])
    .map(([operation, parts]) => [`${fileStem(operation)}-whole--variation.json`, parts] as const)
    .map(([name, parts]) => [name, { text: JSON.stringify(wholeBody(parts)) }]),
)

/** The whole body of one operation. */
export function wholeBodyOf(operation: OperationId): unknown {
  return JSON.parse(WHOLE_BODIES[`${fileStem(operation)}-whole--variation.json`]!.text)
}

/** The operation as recordings name it: service/recordings/recording-names.ts. */
function fileStem(operation: OperationId): string {
  const named = operation.replace('/{contract_address}', '')
  return named.replaceAll('/', '-').replaceAll(/[{}]/g, '')
}

function wholeBody(parts: readonly BodyPart[]): unknown {
  let drawn = 0
  // Each list has another length, which columns count.
  const lengths = new Map<string, number>()
  const lengthOf = (path: string): number => {
    lengths.set(path, lengths.get(path) ?? lengths.size + 1)
    return lengths.get(path)!
  }
  const grown = (node: unknown, path: string, steps: string[], field: RecordField): unknown => {
    const [step, ...rest] = steps
    if (step === undefined) return valueOf(field, (drawn += 1))
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
  return body
}

/** A value that no other number gives. Amounts are never whole, so that a count is no amount. */
function valueOf({ column, number, timeText, path }: RecordField, drawn: number): unknown {
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
