import { z } from 'zod'
import type { FaultKind, FaultPlace } from '../../service/faults/fault-kind.ts'
import { FAULT_KINDS } from '../../service/faults/fault-kinds.ts'
import { ORDER_SHAPE } from '../../service/faults/fault-order.ts'
import { FAULT_PRESETS } from '../../service/faults/fault-presets.ts'
import { partOf, tableLines } from './markdown.ts'

/** The lines of a block of docs/faults.md. */
export function faultLines(what: string): readonly string[] {
  const places = {
    transport: () => kindsOf('transport'),
    body: () => kindsOf('body'),
    state: () => kindsOf('state'),
  }
  return partOf({ keys: commonKeys, presets, ...places }, what)
}

function commonKeys(): string[] {
  const keys = Object.entries(ORDER_SHAPE)
  return tableLines(
    ['key', 'meaning'],
    keys.map(([name, { description }]) => [`\`${name}\``, description ?? '']),
  )
}

function kindsOf(place: FaultPlace): string[] {
  return tableLines(
    ['fault', 'what the caller sees', 'counts by', 'keys of its own'],
    Object.values(FAULT_KINDS)
      .filter((kind) => kind.place === place)
      .map((kind) => {
        const scope = kind.scope === 'entity' ? 'id' : kind.scope
        return [`\`${kind.name}\``, kind.about, scope, keysOf(kind)]
      }),
  )
}

function presets(): string[] {
  return Object.entries(FAULT_PRESETS).flatMap(([name, { about, faults }], at) => [
    ...(at === 0 ? [] : ['']),
    `### ${name}`,
    '',
    `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    '',
    '```yaml',
    ...faults.map((fault) => `- ${inFlow(fault)}`),
    '```',
  ])
}

function keysOf(kind: FaultKind): string {
  const { properties = {} } = z.toJSONSchema(z.object(kind.shape), { io: 'input' })
  return Object.entries(properties)
    .map(([name, property]) => {
      const { description = '', default: fallback } = property as {
        description?: string
        default?: unknown
      }
      return `\`${name}\`: ${description} (${JSON.stringify(fallback)})`
    })
    .join('; ')
}

/** A map in YAML's flow style. */
function inFlow(fault: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fault).map(([key, value]) => `${key}: ${inYaml(value)}`)
  return `{ ${pairs.join(', ')} }`
}

function inYaml(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : String(value)
}
