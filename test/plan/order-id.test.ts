import { expect, test } from 'vitest'
import { orderId } from '../../plan/order-id.ts'
import type { Order } from '../../plan/order.ts'
import { wantedOf } from './test-dataset.ts'

const order: Order = { wanted: [wantedOf({ dataset: 'market_chart', entities: ['a', 'b'] })] }

test('20 hex digits, the same for the same order however its keys were written', () => {
  const [wanted] = order.wanted
  const turned = Object.fromEntries(Object.entries(wanted ?? {}).reverse())
  expect(orderId(order)).toMatch(/^[0-9a-f]{20}$/)
  expect(orderId({ wanted: [turned] } as unknown as Order)).toBe(orderId(order))
  expect(orderId(JSON.parse(JSON.stringify(order)) as Order)).toBe(orderId(order))
})

test.each([
  { what: 'another end', change: { toMs: 5 } },
  { what: 'another order of coins', change: { entities: ['b', 'a'] } },
  { what: 'a selector', change: { entities: { top: 2 } } },
  { what: 'another granularity', change: { granularity: '1d' } },
] as const)('$what is another order', ({ change }) => {
  const other = { wanted: order.wanted.map((wanted) => ({ ...wanted, ...change })) }
  expect(orderId(other)).not.toBe(orderId(order))
})

test('the identity does not change between versions', () => {
  expect(orderId({ wanted: [] })).toBe('97a0393de89905b7f966')
})
