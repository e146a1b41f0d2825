import { expect, test } from 'vitest'
import { operations, type OperationId } from '../../../api/operations.ts'
import type { AnswerSource } from '../../../service/answer-source.ts'
import { createFaultDraws } from '../../../service/faults/draw-faults.ts'
import { FAULT_PRESET_NAMES } from '../../../service/faults/fault-preset-names.ts'
import { presetFaults } from '../../../service/faults/fault-presets.ts'
import { readFaults } from '../../../service/faults/read-faults.ts'
import { echoSource } from '../echo-service.ts'
import { serveFaulty } from '../../parts/faulty-service.ts'

const draws = (text: string): ReturnType<typeof createFaultDraws> =>
  createFaultDraws(readFaults('faults.yaml', text, 1))

/** Names drawn for a request that is asked so often; each is applied, as if it always fitted. */
function askings(
  draw: ReturnType<typeof createFaultDraws>,
  id: string,
  count = 1,
  operation: OperationId = 'coins/{id}/ohlc',
): string[][] {
  return Array.from({ length: count }, () =>
    draw(operations[operation], { id, vs_currency: 'usd' }).map(({ order, claim }) => {
      expect(claim()).toBe(true)
      return order.kind.name
    }),
  )
}

const IDS = Array.from({ length: 300 }, (_, place) => `coin-${place}`)

test.each(FAULT_PRESET_NAMES)(
  '%s: any order of arrival draws the same for each request',
  (name) => {
    const orders = presetFaults(name, 7).filter(({ kind }) => kind.scope === 'request')
    const forward = createFaultDraws(orders)
    const one = new Map(IDS.map((id) => [id, askings(forward, id, 3)]))
    const backward = createFaultDraws(orders)
    const other = new Map<string, string[][]>()
    for (let asking = 0; asking < 3; asking++) {
      for (const id of IDS.toReversed()) {
        other.set(id, [...(other.get(id) ?? []), ...askings(backward, id)])
      }
    }
    for (const id of IDS) expect(other.get(id)).toEqual(one.get(id))
    const elsewhere = createFaultDraws(orders.map((order) => ({ ...order, seed: 8 })))
    expect(IDS.map((id) => askings(elsewhere, id, 3))).not.toEqual([...one.values()])
  },
)

test('the rate is kept', () => {
  const draw = draws('- { fault: reset, rate: 0.2 }')
  const met = IDS.flatMap((id) => askings(draw, id, 20)).filter((names) => names.length > 0)
  // 6000 draws of 0.2: a deviation is 31.
  expect(Math.abs(met.length - 1_200)).toBeLessThan(150)
})

test('two orders of one kind draw apart', () => {
  const draw = draws('- { fault: reset, rate: 0.5 }\n- { fault: reset, rate: 0.5 }')
  const counts = IDS.map((id) => askings(draw, id)[0]!.length)
  expect(new Set(counts)).toEqual(new Set([0, 1, 2]))
})

test('times and after count for each request; permanent is always or never', () => {
  const spared = draws('- { fault: reset, after: 1, times: 2 }')
  for (const id of ['a', 'b']) {
    expect(askings(spared, id, 5).map((names) => names.length)).toEqual([0, 1, 1, 0, 0])
  }
  const permanent = draws('- { fault: html, rate: 0.3, permanent: true }')
  const met = IDS.map((id) => askings(permanent, id, 4).filter(({ length }) => length > 0).length)
  expect(new Set(met)).toEqual(new Set([0, 4]))
})

test('times hold for requests in parallel', async () => {
  const { promise: bothAsked, resolve } = Promise.withResolvers<void>()
  let asked = 0
  const source: AnswerSource = {
    ...echoSource(),
    answer: async (operation, params) => {
      // The fault asks for the page before, so both requests are drawn by then.
      if (params['page'] === '1' && ++asked === 2) resolve()
      if (params['page'] === '1') await bothAsked
      return { kind: 'json', body: { operation, params } }
    },
  }
  const { ask, injected } = await serveFaulty(source, '- { fault: repeated_pages, times: 1 }')
  await Promise.all([1, 2].map(() => ask('coins/markets?vs_currency=usd&page=2')))
  expect(injected().toSorted()).toEqual(['', 'repeated_pages'])
})

test('operations and entities: only what is named', () => {
  const draw = draws(
    '- { fault: reset, operations: ["coins/{id}/ohlc"] }\n- { fault: html, entities: [a, 000] }',
  )
  expect(askings(draw, 'b')).toEqual([['reset']])
  expect(askings(draw, 'a', 1, 'coins/{id}')).toEqual([['html']])
  expect(askings(draw, '000', 1, 'coins/{id}')).toEqual([['html']])
  expect(askings(draw, 'b', 1, 'coins/{id}')).toEqual([[]])
  const prices = operations['simple/price']
  expect(draw(prices, { ids: 'b,a', vs_currencies: 'usd' })).toHaveLength(1)
  expect(draw(prices, { ids: 'b', vs_currencies: 'a' })).toHaveLength(0)
})

test('refusals of the service stay as they are', async () => {
  const { ask, log } = await serveFaulty(echoSource(), '- fault: html')
  expect((await ask('coins/unknown')).status).toBe(404)
  expect((await ask('coins/markets')).status).toBe(400)
  expect((await ask('nothing')).status).toBe(404)
  expect(log.map(({ injected }) => injected)).toEqual([undefined, undefined, undefined])
})
