import type { Profile } from '../../config/profiles.ts'
import type { Operation } from '../../api/operations.ts'
import { ACCEPT_ENCODING_KEY, acceptEncoding, parameterObject } from './parameters.ts'
import {
  ERROR_SCHEMA,
  errorSchema,
  headerComponents,
  operationResponses,
  refusalComponents,
} from './responses.ts'
import { bodySchemas } from './body-schemas.ts'
import { withProfileParams } from '../../api/profile-params.ts'
import { stepRuleText } from '../../api/step-rules.ts'

const KEY_SCHEME = 'key'

/**
 * The OpenAPI 3.1 document of a profile, from the descriptions that client and service use.
 *
 * @param version version of coinlake and of the document
 */
export function openApiDocument(
  profile: Profile,
  version: string,
): Readonly<Record<string, unknown>> {
  const { schemas, nameOf } = bodySchemas()
  const { served } = profile
  const missing = String(served.missingParamStatus)
  const statuses = [...new Set(['400', '401', '404', '405', missing, '429', '500'])].sort()
  const paths = withProfileParams(profile).map((operation) => [
    `${profile.basePath}/${operation.id}`,
    {
      get: {
        operationId: operation.id,
        tags: [operation.id.split('/')[0]],
        summary: operation.summary,
        description: descriptionOf(operation),
        parameters: [
          ...operation.params.map((param) => parameterObject(param, profile.dateFormats[0])),
          { $ref: `#/components/parameters/${ACCEPT_ENCODING_KEY}` },
        ],
        responses: operationResponses(served, operation, nameOf(operation.id), statuses),
      },
    },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: `Cryptocurrency market data: ${profile.title}`,
      version,
      description: 'As `coinlake serve` answers it. Every operation is a GET and reads only.',
    },
    servers: [{ url: '/' }],
    security: profile.isKeyRequired ? [{ [KEY_SCHEME]: [] }] : [{}, { [KEY_SCHEME]: [] }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { [ERROR_SCHEMA]: errorSchema(served), ...schemas },
      parameters: { [ACCEPT_ENCODING_KEY]: acceptEncoding },
      headers: headerComponents(served),
      responses: refusalComponents(served, statuses),
      securitySchemes: { [KEY_SCHEME]: securityScheme(profile) },
    },
  }
}

function securityScheme({ auth }: Profile): Readonly<Record<string, unknown>> {
  return auth.header === 'authorization'
    ? { type: 'http', scheme: 'bearer' }
    : { type: 'apiKey', in: 'header', name: auth.header }
}

/** The summary, then paging, steps of a series, and age of an answer. */
function descriptionOf({ summary, params, paging, steps, cacheAgeS }: Operation): string {
  const sentences = [summary]
  if (paging !== undefined) {
    sentences.push(
      `Pages from 1, by default with ${paging.defaultPerPage} items; a page with fewer items is the last, and a page after it is empty.`,
    )
  }
  if (steps !== undefined) {
    const start = params.some(({ name }) => name === 'interval') ? 'Without an interval the' : 'The'
    sentences.push(`${start} step of the points follows from the window: ${stepRuleText(steps)}.`)
  }
  if (cacheAgeS > 0) sentences.push(`An answer may be up to ${cacheAgeS} seconds old.`)
  return sentences.join(' ')
}
