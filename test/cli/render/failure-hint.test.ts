import { expect, test } from 'vitest'
import { failureHint } from '../../../cli/render/failure-hint.ts'

test.each([
  ['SOURCE_REDIRECTED', 'source.base_url'],
  ['WRONG_GRANULARITY', 'another granularity'],
  ['LISTING_REPEATS', 'by their ids'],
  ['LISTING_ENDLESS', 'owner'],
  ['BAD_PARAM', 'take it out'],
  ['DATASET_GONE', 'coinlake schedule apply'],
])('%s is nothing that running again would mend', (code, hint) => {
  expect(failureHint({ code, dataset: 'market_chart' })).toContain(hint)
  expect(failureHint({ code, dataset: 'market_chart' })).not.toContain('same command')
})

test('what may pass is asked for again', () => {
  expect(failureHint({ code: 'SOURCE_UNAVAILABLE', dataset: 'coins' })).toContain('same command')
})

test.each([
  ['market_chart', 'get coins', '`coins`'],
  ['coin_markets', 'get coins', '`coins`'],
  ['exchange_tickers', 'get exchanges', '`exchanges`'],
  ['derivative_exchange_tickers', 'get derivative_exchanges', '`exchanges`'],
  ['token_details', 'get asset_platforms', '`tokens`'],
])('an id that is not found in %s is one of `%s`', (dataset, command, key) => {
  const hint = failureHint({ code: 'SOURCE_NOT_FOUND', dataset })
  expect(hint).toContain(`\`coinlake ${command} |`)
  expect(hint).toContain(`beside its ${key}`)
})
