import { expect, test } from 'vitest'
import { failureHint } from '../../../cli/render/failure-hint.ts'

test.each([
  ['SOURCE_REDIRECTED', 'source.base_url'],
  ['SOURCE_NOT_FOUND', '`coinlake get coins`'],
  ['WRONG_GRANULARITY', 'another granularity'],
  ['LISTING_REPEATS', 'by their ids'],
  ['LISTING_ENDLESS', 'owner'],
  ['BAD_PARAM', 'take it out'],
  ['DATASET_GONE', 'coinlake schedule apply'],
])('%s is nothing that running again would mend', (code, hint) => {
  expect(failureHint(code)).toContain(hint)
  expect(failureHint(code)).not.toContain('same command')
})

test('what may pass is asked for again', () => {
  expect(failureHint('SOURCE_UNAVAILABLE')).toContain('same command')
})
