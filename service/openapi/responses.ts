import type { Operation } from '../../api/operations.ts'
import type { ServedFacts } from '../../config/profiles.ts'
import type { JsonSchema } from './body-schema.ts'
import { schemaRef } from './body-schemas.ts'

export const ERROR_SCHEMA = 'Error'

const REASON: JsonSchema = { type: 'string', description: 'The reason, as text for people' }
const CODED = {
  error_code: { type: 'integer', description: "The provider's code" },
  error_message: REASON,
}

/** The body of every refusal (service/refusal.ts). */
export function errorSchema({ errors }: ServedFacts): JsonSchema {
  if (errors === 'flat') return { description: 'A refusal', ...object({ error: REASON }) }
  const timestamp = { type: 'string', format: 'date-time' }
  return {
    description: 'A refusal: a text, with the status for a fault, or a code of the provider',
    anyOf: [
      object({ error: REASON }),
      object({ status: { type: 'integer' }, error: REASON }),
      object({ status: object(CODED) }),
      object({ error: object({ status: object({ timestamp, ...CODED }) }) }),
    ],
  }
}

/** An object with exactly these keys. */
function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false }
}

const DIGITS: JsonSchema = { type: 'string', pattern: '^[0-9]+$' }
const DATE_TIME: JsonSchema = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} \\+0000$',
}
const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** The rate headers as service/callers/quota-headers.ts writes them. */
export function headerComponents({ rateHeaders }: ServedFacts): Record<string, JsonSchema> {
  return {
    'X-RateLimit-Limit': { description: 'Calls of a window, digits.', schema: DIGITS },
    'X-RateLimit-Remaining': { description: 'Calls left in this window, digits.', schema: DIGITS },
    'X-RateLimit-Reset':
      rateHeaders === 'always'
        ? { description: 'End of the window, epoch seconds, digits.', schema: DIGITS }
        : { description: 'End of the window, date and time of day.', schema: DATE_TIME },
    'Retry-After': { description: 'Seconds to wait, digits.', schema: DIGITS },
  }
}

/** Name and meaning of each refusal, by status. Their bodies are alike. */
const REFUSALS: Readonly<Record<string, { name: string; description: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'A parameter is missing or wrong; the message names it.',
  },
  401: { name: 'Unauthorized', description: 'The key is missing, unknown or revoked.' },
  404: { name: 'NotFound', description: 'The id or the path is unknown.' },
  405: { name: 'MethodNotAllowed', description: 'Every operation is a GET.' },
  422: { name: 'MissingParameter', description: 'A required parameter is missing.' },
  429: { name: 'TooManyRequests', description: 'The calls of the window are used up.' },
  500: {
    name: 'ServerError',
    description: 'A fault of the service, without details.',
  },
}

export function refusalComponents(
  served: ServedFacts,
  statuses: readonly string[],
): Record<string, JsonSchema> {
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description } = REFUSALS[status]!
      const headers = status === '429' ? [...RATE_HEADERS, 'Retry-After'] : usualHeaders(served)
      return [name, response(description, headers, schemaRef(ERROR_SCHEMA))]
    }),
  )
}

/** The rate headers of an answer that is no refusal for too many calls. */
function usualHeaders({ rateHeaders }: ServedFacts): readonly string[] {
  return rateHeaders === 'always' ? RATE_HEADERS : []
}

export function operationResponses(
  served: ServedFacts,
  operation: Operation,
  schemaName: string,
  statuses: readonly string[],
): Record<string, JsonSchema> {
  const refusals = statuses.map((status) => [
    status,
    { $ref: `#/components/responses/${REFUSALS[status]!.name}` },
  ])
  return {
    200: response(operation.summary, usualHeaders(served), schemaRef(schemaName)),
    ...Object.fromEntries(refusals),
  }
}

function response(description: string, headers: readonly string[], ref: string): JsonSchema {
  return {
    description,
    headers: Object.fromEntries(
      headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: { 'application/json': { schema: { $ref: ref } } },
  }
}
