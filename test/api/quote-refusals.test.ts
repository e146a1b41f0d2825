import { expect, test } from 'vitest'
import { readAnswerOf } from './read-answer-of.ts'

const IDS = ['simple/price', 'simple/token_price/{id}'] as const
const read = (id: (typeof IDS)[number], body: unknown) =>
  readAnswerOf(id, new TextEncoder().encode(JSON.stringify(body)))

test.for([
  [{ error: 'coin not found' }, 'SOURCE_NOT_FOUND'],
  [{ status: 500, error: 'Internal Server Error' }, undefined],
  [{ status: { error_code: 10_005, error_message: 'not in your plan' } }, 'SOURCE_PLAN'],
  [{ error: { status: { error_code: 10_012, error_message: 'too far back' } } }, 'SOURCE_PLAN'],
  [{ error_code: 10_012, status: { error_message: 'too many addresses' } }, 'SOURCE_PLAN'],
] as const)('prices that are the refusal %j are one', ([body, code]) => {
  for (const id of IDS) {
    const answered = read(id, body)
    expect(answered).toBeInstanceOf(Error)
    if (code !== undefined) expect(answered).toMatchObject({ code })
  }
})

test('a limit that is told with a good status is waited for', () => {
  const body = { status: { error_code: 429, error_message: 'exceeded the Rate Limit' } }
  for (const id of IDS) expect(read(id, body)).toMatchObject({ kind: 'throttled' })
})

test.for([
  {},
  { bitcoin: {} },
  { error: { usd: 1 }, status: { usd: 2, error: 3 }, error_code: { usd: 3 } },
  { status: {} },
  { error: null },
])('%j are prices, whatever coins are called', (body) => {
  for (const id of IDS) expect(read(id, body)).toMatchObject({ kind: 'ok', json: body })
})
