import { z } from 'zod'
import type { FaultKind, FaultPlace, FaultScope } from '../../service/faults/fault-kind.ts'
import { FAULT_KINDS } from '../../service/faults/fault-kinds.ts'
import { ORDER_SHAPE } from '../../service/faults/fault-order.ts'
import { FAULT_PRESETS } from '../../service/faults/fault-presets.ts'
import type { GeneratedPage } from '../generated-page.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# Faults on tap

Made by \`npm run docs\` from \`service/faults/\`. With \`--faults\` the service answers like one in trouble, for tests of
clients. A preset or a file names the faults.

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

## Rules

- A fault spoils a good answer, never a refusal: key, quota and parameters come first. Faults stand behind the cache of
  answers, and a spoilt answer has \`cache-control: no-store\`.
- A call with a fault counts like any other, unless the fault says that it costs none.
- The seed, the request (operation and parameters) and its number of repetitions decide its faults. The same requests
  get the same faults in any order. Faults of the whole service count all its requests, so there the order matters.
- The first fault of a list that is drawn and fits the answer applies; \`clock_skew\` and \`limit_change\` come beside
  others. A fault without meaning for an answer (pages of an answer without pages) leaves it alone.
- Each line of \`--log\` names the applied faults in \`injected\`; a reset connection has status 0.`

const PLACES: Readonly<Record<FaultPlace, string>> = {
  transport: 'The way of an answer',
  body: 'The body of an answer',
  state: 'The state of the service',
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
      '"Counts by" names the subject of a draw: each repetition of one request, one id forever, or all requests of the service.',
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
