import { expect, test } from 'vitest'
import { notedUnreachable } from '../../../activities/end/note-unreachable.ts'
import { wantedOf } from '../../plan/test-dataset.ts'

type Deps = Parameters<typeof notedUnreachable>[0]

test.for([
  ['usd', ['usd', 'eur'], 1],
  ['usd,eur', ['eur', 'usd'], 1],
  ['usd,eur', ['usd'], 0],
] as const)('noted history in %s of an order in %s', async ([inLedger, vsCurrencies, count]) => {
  const noted = {
    dataset: 'price_quotes',
    entity: 'bitcoin,ethereum',
    vsCurrency: inLedger,
    granularity: '1h',
    fromMs: 0,
    toMs: 3_600_000,
    reason: 'unknown_at_source',
  }
  const store = { query: async () => [noted] } as unknown as Deps['store']
  const entities = ['ethereum', 'bitcoin']
  const wanted = [wantedOf({ dataset: 'price_quotes', entities, vsCurrencies: [...vsCurrencies] })]
  const found = await notedUnreachable({ store } as unknown as Deps, { wanted })
  expect(found).toHaveLength(count)
})
