import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type OperationId, operations } from '../../../api/operations.ts'
import { openApiDocument } from '../../../service/openapi/openapi.ts'
import { bodySchemas } from '../../../service/openapi/body-schemas.ts'
import type { JsonSchema } from '../../../service/openapi/body-schema.ts'
import { undescribed } from './undescribed.ts'
import { withProfileParams } from '../../../api/profile-params.ts'
import { frozenClock } from '../../../config/clock.ts'
import { profiles } from '../../../config/profiles.ts'
import { createKeyRing } from '../../../service/callers/key-ring.ts'
import { echoService } from '../echo-service.ts'
import { recordedOperation } from '../../../service/recordings/recording-names.ts'

const SAMPLES = new URL('../../../../shared/samples/', import.meta.url)
const IDS = Object.keys(operations) as OperationId[]

interface Parameter {
  /** Absent where a shared parameter is referred to. */
  name?: string
  schema: JsonSchema
}
interface Document {
  paths: Record<
    string,
    { get: { parameters: Parameter[]; responses: Record<string, unknown>; description: string } }
  >
  components: Record<
    'schemas' | 'parameters' | 'headers' | 'responses' | 'securitySchemes',
    Record<string, unknown>
  >
  security: unknown[]
}

const documentOf = (name: keyof typeof profiles): Document =>
  openApiDocument(profiles[name], '1.2.3') as unknown as Document
const operationOf = (id: OperationId): Document['paths'][string]['get'] =>
  document.paths[`/v2/${id}`]!.get
const document = documentOf('interface')

test('every operation of the interface is a path with one GET, and nothing else is', () => {
  expect(Object.keys(document.paths)).toEqual(IDS.map((id) => `/v2/${id}`))
  for (const [path, item] of Object.entries(document.paths)) {
    expect(Object.keys(item), path).toEqual(['get'])
  }
})

test('an operation speaks of an interval only where it takes one', () => {
  for (const id of IDS) {
    const { description, parameters } = operationOf(id)
    const takesOne = parameters.some(({ name }) => name === 'interval')
    expect(description.includes('Without an interval'), id).toBe(takesOne)
  }
})

test('every reference leads to a part of the document, and every part is referred to', () => {
  const refs = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map((m) => m[1]!),
  )
  for (const ref of refs) {
    const found = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
    expect(found, ref).toBeDefined()
  }
  for (const kind of ['schemas', 'parameters', 'headers', 'responses'] as const) {
    for (const name of Object.keys(document.components[kind])) {
      expect(refs, name).toContain(`#/components/${kind}/${name}`)
    }
  }
})

test('parameters have the bounds by which the service checks them', () => {
  const parameterOf = (id: OperationId, name: string): Parameter =>
    operationOf(id).parameters.find((one) => one.name === name)!
  expect(parameterOf('coins/markets', 'per_page')).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 250, default: 100 },
  })
  expect(parameterOf('simple/price', 'ids')).toMatchObject({
    required: true,
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, maxItems: 500 },
  })
  expect(parameterOf('coins/{id}/history', 'date').schema).toMatchObject({ format: 'date' })
  expect(parameterOf('coins/{id}/ohlc', 'days').schema).toEqual({
    type: 'integer',
    enum: [1, 7, 14, 30, 90, 180, 365],
  })
  expect(parameterOf('coins/{id}/market_chart', 'days').schema.anyOf).toContainEqual({
    const: 'max',
  })
  expect(parameterOf('exchanges/{id}', 'id')).toMatchObject({ in: 'path', required: true })
  for (const id of IDS) {
    const described = operationOf(id).parameters.flatMap(({ name }) => name ?? [])
    expect(described).toEqual(operations[id].params.map(({ name }) => name))
  }
})

test('pages, steps of series and ages are told', () => {
  const descriptionOf = (id: OperationId): string => operationOf(id).description
  expect(descriptionOf('coins/markets')).toMatch(/Pages from 1, by default with 100 items/)
  expect(descriptionOf('coins/{id}/market_chart/range')).toContain(
    'up to 1 day ending now: 5m; up to 90 days: 1h; longer: 1d',
  )
  expect(descriptionOf('exchange_rates')).toContain('up to 60 seconds old')
})

test('profiles differ in path, key, date, and the status of a missing parameter', () => {
  const demo = documentOf('coingecko-demo')
  expect(Object.keys(demo.paths)).toContain('/api/v3/ping')
  expect(demo.components.securitySchemes['key']).toEqual({
    type: 'apiKey',
    in: 'header',
    name: 'x-cg-demo-api-key',
  })
  expect(demo.security).toContainEqual({})
  const history = demo.paths['/api/v3/coins/{id}/history']!.get
  expect(history.parameters[1]).toMatchObject({ example: '30-12-2024' })
  expect(JSON.stringify(history.parameters[1])).not.toContain('YYYY-MM-DD')
  expect(Object.keys(history.responses)).toContain('422')
  expect(document.components.securitySchemes['key']).toEqual({ type: 'http', scheme: 'bearer' })
  const { responses } = operationOf('coins/{id}/history')
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '404', '405', '429', '500'])
})

/** Refused in at least one profile each: no key, another host's, plan, parameter, id, path, fault. */
const REFUSED: readonly [path: string, headers?: Record<string, string>][] = [
  ['ping', {}],
  ['ping', { 'x-cg-pro-api-key': 'bad' }],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=max'],
  ['coins/list?status=inactive'],
  ['coins/markets'],
  ['coins/unknown'],
  ['nothing'],
  ['coins/broken'],
]

test.each(['interface', 'coingecko-demo', 'coingecko-pro'] as const)(
  'refusals and rate headers of %s are as its document says',
  async (name) => {
    const profile = profiles[name]
    const { schemas, headers, responses } = documentOf(name).components
    const error = z.fromJSONSchema(schemas['Error'] as Parameters<typeof z.fromJSONSchema>[0])
    const { app } = echoService({
      profile,
      operations: withProfileParams(profile),
      keys: createKeyRing(['good']),
      quota: { calls: REFUSED.length - 2, perMs: 60_000 },
      realClock: frozenClock(0),
    })
    const key = { [profile.auth.header]: profile.auth.template.replace('{key}', 'good') }
    const told = Object.keys((responses['NotFound'] as { headers: object }).headers)
    for (const [path, sent = key] of REFUSED) {
      const reply = await app.request(`${profile.basePath}/${path}`, { headers: sent })
      const body: unknown = await reply.json()
      if (reply.status !== 200) expect(error.safeParse(body).error, path).toBeUndefined()
      expect([...reply.headers.keys()].filter((header) => header.startsWith('x-')).sort()).toEqual(
        told.map((header) => header.toLowerCase()).sort(),
      )
    }
    const busy = await app.request(`${profile.basePath}/ping`, { headers: key })
    expect(busy.status).toBe(429)
    expect(error.safeParse(await busy.json()).error).toBeUndefined()
    for (const [header, described] of Object.entries(headers)) {
      const { pattern } = (described as { schema: { pattern: string } }).schema
      expect(busy.headers.get(header)).toMatch(new RegExp(pattern))
    }
  },
)

if (!existsSync(SAMPLES)) console.log('skipped: the recordings are not on this machine')

/** Lists of what the interface does not have, and scores that the provider has dropped. */
const UNDESCRIBED: Partial<Record<OperationId, RegExp>> = {
  'search/trending': /^\$\.(nfts|categories|exchanges)|\.item\.data\.content/,
  'coins/{id}/contract/{contract_address}': /_score$|coingecko_rank|\.ico_data\./,
  search: /^\$\.nfts/,
}

describe.runIf(existsSync(SAMPLES))('recorded answers', () => {
  const { schemas, nameOf } = bodySchemas()
  const files = existsSync(SAMPLES) ? readdirSync(SAMPLES) : []
  const recorded = files.flatMap((file) => {
    const id = recordedOperation(file)
    return id === null ? [] : [{ file, id }]
  })

  test.each(recorded)(
    '$file: every field is described, and of the type that its schema says',
    ({ file, id }) => {
      const body: unknown = JSON.parse(readFileSync(new URL(file, SAMPLES), 'utf8'))
      const unknown = undescribed(body, { $ref: `#/components/schemas/${nameOf(id)}` }, schemas)
      const rest = [...unknown].filter((path) => UNDESCRIBED[id]?.test(path) !== true)
      expect(rest).toEqual([])
    },
  )
})
