import { expect, test } from 'vitest'
import { redactQuery } from '../../service/request-log.ts'

test.each([
  ['', ''],
  ['?ids=a,b&vs_currencies=usd', 'ids=a,b&vs_currencies=usd'],
  ['?x_cg_demo_api_key=SECRET&ids=a', 'x_cg_demo_api_key=***&ids=a'],
  ['?API_KEY=SECRET', 'API_KEY=***'],
  ['?x_cg_demo_api_%6Bey=SECRET', 'x_cg_demo_api_%6Bey=***'],
  ['?%6b%65%79=SECRET&page=%zz', '%6b%65%79=***&page=%zz'],
  ['?access+token=SECRET', 'access+token=***'],
  ['?key', 'key=***'],
  ['?&&=x&%', '&&=x&%'],
])('the query %j is written down as %j', (query, written) => {
  expect(redactQuery(query)).toBe(written)
})
