import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSourceClient, type SourceClient } from '../../api/client.ts'
import { SourcePlanError } from '../../api/errors.ts'
import type { Operation } from '../../api/operations.ts'
import { createPacer } from '../../api/pacer.ts'
import { withProfileParams } from '../../api/profile-params.ts'
import { bodySchemas, schemaRef } from '../../service/openapi/body-schemas.ts'
import { undescribed } from './openapi/undescribed.ts'
import { profiles } from '../../config/profiles.ts'
import { Secret } from '../../config/values/secret.ts'
import { createService } from '../../service/app.ts'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import { type ServiceServer, startService } from '../../service/serve-http.ts'
import { asking, MARKET_NOW_MS, simulated } from './tiny-market.ts'
import { CLIENT_SETTINGS } from '../parts/client-settings.ts'

const KEY = 'profile-key'
const DAY_S = 86_400
const NOW_S = Math.floor(MARKET_NOW_MS / 1_000)

const source = simulated(afterAll)

/** Good parameters of an operation in this market; times within the last days. */
async function paramsOf(operation: Operation): Promise<Record<string, string>> {
  const { body } = await asking(source)('coins/list?include_platform=true')
  const coins = body as { platforms: Record<string, string> }[]
  const [platform, address] = coins.flatMap(({ platforms }) => Object.entries(platforms))[0]!
  const here: Record<string, string> = {
    ...(operation.id.includes('contract') || operation.id.includes('token_price')
      ? { id: platform, contract_address: address, contract_addresses: address }
      : {}),
    date: new Date((NOW_S - DAY_S) * 1_000).toISOString().slice(0, 10),
    from: String(NOW_S - 2 * DAY_S),
    to: String(NOW_S),
    days: '1',
    query: 'coin',
  }
  const required = operation.params.filter((param) => param.required)
  return Object.fromEntries(
    required.map(({ name, example }) => [name, here[name] ?? example ?? '']),
  )
}

/** The exporter's client, as it is made for a source of the profile, against the service in its voice. */
describe.each(Object.values(profiles))('$name', (profile) => {
  let server: ServiceServer
  let client: SourceClient

  beforeAll(async () => {
    const service = createService({
      source,
      operations: withProfileParams(profile),
      profile,
      keys: createKeyRing([KEY]),
      quota: null,
    })
    server = await startService(service, { port: 0 })
    client = createSourceClient({
      rootUrl: `${server.url}${profile.basePath}`,
      auth: { ...profile.auth, key: new Secret(KEY) },
      dateFormat: profile.dateFormats[0],
      pacer: createPacer({ rate: null }),
      ...CLIENT_SETTINGS,
    })
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  test.each(withProfileParams(profile))('$id', async (operation) => {
    const answer = await client.get(operation, await paramsOf(operation))
    expect(answer).toMatchObject({ kind: 'ok', status: 200 })
    if (answer.kind !== 'ok') return
    const { schemas, nameOf } = bodySchemas()
    const whole = { $ref: schemaRef(nameOf(operation.id)) }
    expect([...undescribed(answer.json, whole, schemas)]).toEqual([])
  })

  test('a wrong key and an unknown id are what the exporter takes them for', async () => {
    const { auth } = profile
    const stranger = createSourceClient({
      rootUrl: client.rootUrl,
      auth: { ...auth, key: new Secret('wrong') },
      pacer: createPacer({ rate: null }),
      ...CLIENT_SETTINGS,
    })
    const [ping] = withProfileParams(profile)
    await expect(stranger.get(ping!, {})).rejects.toMatchObject({ name: 'SourceAuthError' })
    await stranger.close()
    const detail = withProfileParams(profile).find(({ id }) => id === 'coins/{id}')!
    await expect(client.get(detail, { id: 'nobody' })).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
    })
  })

  test('history beyond the plan fails the slice, where a plan has an end', async () => {
    const range = withProfileParams(profile).find(
      ({ id }) => id === 'coins/{id}/market_chart/range',
    )!
    const from = String(NOW_S - 400 * DAY_S)
    const asked = client.get(range, { ...(await paramsOf(range)), from })
    if (profile.maxHistoryDays === null) expect(await asked).toMatchObject({ kind: 'ok' })
    else await expect(asked).rejects.toBeInstanceOf(SourcePlanError)
  })
})
