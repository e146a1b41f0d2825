import { expect, test } from 'vitest'
import { type Operation, operations } from '../../api/operations.ts'
import { byPrecedence, routePattern } from '../../service/routes.ts'
import { echoService } from './echo-service.ts'

/** Operations of the interface that share their place with fixed segments; only their ids matter here. */
function withId(id: string): Operation {
  return { ...operations['coins/{id}/ohlc'], id: id as Operation['id'], params: [] }
}

const DETAIL = withId('coins/{id}')
const EXCHANGE = withId('exchanges/{id}')
const ALL = [DETAIL, EXCHANGE, ...Object.values(operations)]

test.each([ALL, ALL.toReversed()])(
  'fixed segments come before ids, in whatever order they are given',
  async (...given) => {
    const { app } = echoService({ operations: given })
    const asked = [
      ['/v2/coins/list', 'coins/list'],
      ['/v2/coins/markets?vs_currency=usd', 'coins/markets'],
      ['/v2/coins/bitcoin', 'coins/{id}'],
      ['/v2/coins/listing', 'coins/{id}'],
      ['/v2/exchanges', 'exchanges'],
      ['/v2/exchanges/list', 'exchanges/list'],
      ['/v2/exchanges/kraken', 'exchanges/{id}'],
    ]
    for (const [path, operation] of asked) {
      const reply = await app.request(path!)
      expect(await reply.json(), path).toMatchObject({ operation })
    }
  },
)

test('patterns', () => {
  expect(
    byPrecedence([DETAIL, operations['coins/list']]).map((one) => routePattern(one, '/v2')),
  ).toEqual(['/v2/coins/list', '/v2/coins/:id'])
})
