import { expect, test } from 'vitest'
import { withProfileParams } from '../../api/profile-params.ts'
import { type ProfileName, profiles } from '../../config/profiles.ts'
import { plainService } from '../parts/serve-source.ts'
import { echoSource } from './echo-service.ts'

const COINS = Array.from({ length: 15 }, (_, score) => ({ item: { id: `coin-${score}`, score } }))
const BODY = { coins: COINS, nfts: [{ id: 'x' }], categories: [] }

async function trending(name: ProfileName, body: object): Promise<unknown> {
  const profile = profiles[name]
  const source = { ...echoSource(), answer: async () => ({ kind: 'json', body }) as const }
  const { app } = plainService(source, { operations: withProfileParams(profile), profile })
  return await (await app.request(`${profile.basePath}/search/trending`)).json()
}

test('the interface lists the first 7 trending coins, whatever is known', async () => {
  expect(await trending('interface', BODY)).toEqual({ ...BODY, coins: COINS.slice(0, 7) })
  const few = { ...BODY, coins: COINS.slice(0, 3) }
  expect(await trending('interface', few)).toEqual(few)
})

test.each(['coingecko-demo', 'coingecko-pro'] as const)('%s lists all of them', async (name) => {
  expect(await trending(name, BODY)).toEqual(BODY)
})
