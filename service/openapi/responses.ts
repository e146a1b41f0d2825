import type { Operation } from '../../api/operations.ts'
import type { JsonSchema } from './body-schema.ts'
import { ERROR_SCHEMA, schemaRef } from './body-schemas.ts'

const DIGITS: JsonSchema = { type: 'string', pattern: '^[0-9]+$' }
const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

export const headerComponents: Readonly<Record<string, JsonSchema>> = {
  'X-RateLimit-Limit': { description: 'Calls of a window, digits.', schema: DIGITS },
  'X-RateLimit-Remaining': { description: 'Calls left in this window, digits.', schema: DIGITS },
  'X-RateLimit-Reset': { description: 'End of the window, epoch seconds, digits.', schema: DIGITS },
  'Retry-After': { description: 'Seconds to wait, digits.', schema: DIGITS },
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

export function refusalComponents(statuses: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description } = REFUSALS[status]!
      const headers = status === '429' ? [...RATE_HEADERS, 'Retry-After'] : RATE_HEADERS
      return [name, response(description, headers, schemaRef(ERROR_SCHEMA))]
    }),
  )
}

export function operationResponses(
  operation: Operation,
  schemaName: string,
  statuses: readonly string[],
): Record<string, JsonSchema> {
  const refusals = statuses.map((status) => [
    status,
    { $ref: `#/components/responses/${REFUSALS[status]!.name}` },
  ])
  return {
    200: response(operation.summary, RATE_HEADERS, schemaRef(schemaName)),
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
