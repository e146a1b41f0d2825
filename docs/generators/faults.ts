import { z } from 'zod'
import type { FaultKind, FaultPlace, FaultScope } from '../../service/faults/fault-kind.ts'
import { FAULT_KINDS } from '../../service/faults/fault-kinds.ts'
import { ORDER_SHAPE } from '../../service/faults/fault-order.ts'
import { FAULT_PRESETS } from '../../service/faults/fault-presets.ts'
import type { GeneratedPage } from '../generated-page.ts'

const INTRODUCTION = `# Faults on tap

Made by \`npm run docs\` from \`service/faults/\`. With \`--faults\` the service answers like one in trouble, so that
a client can be held against it. What it does is said by a preset or by a file.

\`\`\`sh
coinlake serve --simulate --faults mild --log requests.jsonl
coinlake serve --warehouse ./warehouse --faults harsh --fault-seed 7
coinlake serve --simulate --faults ./faults.yaml
\`\`\`

A file is a YAML or JSON list:

\`\`\`yaml
- fault: rate_status            # one call in twenty is refused, twice at most for each request
  rate: 0.05
  told: reset
  times: 2
- fault: html                   # this coin is lost for good
  entities: [bitcoin]
  permanent: true
- fault: limit_change           # after 200 calls another limit holds
  after: 200
  limit: 30/1m
\`\`\`

## What holds

- A good answer is spoilt, never a refusal: key, quota and parameters are looked at first. Faults stand behind
  the cache of answers, and what was spoilt is sent with \`cache-control: no-store\`.
- A call that meets a fault is counted like any other, but for those that are told to cost none.
- What a request meets follows from the seed, the request (operation and parameters) and how often it came
  before. The same requests meet the same faults in whatever order they arrive. Faults of the whole service
  count all its requests, so there the order matters.
- Of the faults of a list the first that is drawn and fits the answer is applied; \`clock_skew\` and
  \`limit_change\` come beside others. A fault that has no meaning for an answer (pages of what has none) leaves it
  alone.
- Each line of \`--log\` names what was applied in \`injected\`; a reset connection has status 0.`

const PLACES: Readonly<Record<FaultPlace, string>> = {
  transport: 'How an answer comes',
  body: 'What an answer says',
  state: 'What the service has become',
}

const SCOPES: Readonly<Record<FaultScope, string>> = {
  request: 'request',
  entity: 'id',
  service: 'service',
}

/** docs/faults.md: every fault with its keys, and the presets. */
export const faultsPage: GeneratedPage = {
  file: 'docs/faults.md',
  generate: () =>
    `${[
      INTRODUCTION,
      '## Keys of every fault',
      table(
        ['key', 'meaning'],
        Object.entries(ORDER_SHAPE).map(([name, { description }]) => [
          `\`${name}\``,
          description ?? '',
        ]),
      ),
      'What a fault counts and draws for stands in the tables below: each asking of one request, one id for ever, or all requests of the service.',
      ...(['transport', 'body', 'state'] as const).flatMap((place) => [
        `## ${PLACES[place]}`,
        table(
          ['fault', 'what the caller sees', 'counts by', 'keys of its own'],
          Object.values(FAULT_KINDS)
            .filter((kind) => kind.place === place)
            .map((kind) => [`\`${kind.name}\``, kind.about, SCOPES[kind.scope], keysOf(kind)]),
        ),
      ]),
      '## Presets',
      ...Object.entries(FAULT_PRESETS).flatMap(([name, { about, faults }]) => [
        `### ${name}`,
        `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
        `\`\`\`yaml\n${faults.map((fault) => `- ${inFlow(fault)}`).join('\n')}\n\`\`\``,
      ]),
    ].join('\n\n')}\n`,
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

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')
}
