import { describe, expect, test } from 'vitest'
import { coinHistory } from '../../datasets/coin-history.ts'
import { coins } from '../../datasets/coins.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'
import { wholeBody } from './whole-body.ts'

const OPERATION = 'coins/{id}/history'
const DAY_MS = 86_400_000
const DAY = Date.UTC(2017, 11, 30)
const PARAMS = { id: 'bitcoin', date: '2017-12-30' }
/** Dated parts and all. */
const BODY = wholeBody(OPERATION)

function slice(fromMs = DAY) {
  return { entity: 'bitcoin', fromMs, toMs: fromMs + DAY_MS }
}

function loaded(body: unknown = BODY, fromMs = DAY): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(coinHistory, body, slice(fromMs))
  return warehouse
}

describe('a day without data', () => {
  const { id, symbol, name, localization, image } = BODY
  const bare = { id, symbol, name, localization, image }
  const blank = {
    ...bare,
    market_data: null,
    community_data: { facebook_likes: null, reddit_subscribers: null },
    developer_data: { code_additions_deletions_4_weeks: { additions: null }, forks: null },
    public_interest_stats: null,
  }

  test.each([
    ['nothing but the coin', bare],
    ['nothing but nulls of the day', blank],
  ])('with %s has no row', (_, body) => {
    const { page, rows } = tablesOf(coinHistory, body, slice())
    expect(rows).toEqual({ coin_history: [], coin_history_stats: [] })
    expect(page).toMatchObject({ rejected: [], itemCount: 0, unknownPaths: {} })
  })

  test.each([
    ['a new section', { onchain_data: { fees: { usd: 5 } } }],
    ['a new value', { mood: 1 }],
  ])('is none with %s: the row keeps it', (_, day) => {
    const body = { ...bare, ...day }
    const { page, rows } = tablesOf(coinHistory, body, slice())
    expect([page.itemCount, rows['coin_history_stats']?.length]).toEqual([1, 1])
    expect(loaded(body).answer(OPERATION, PARAMS)).toEqual(body)
  })

  test('still tells of keys that are new and of values of the wrong form', () => {
    const { page } = tablesOf(coinHistory, { ...bare, mood: null, name: 5 }, slice())
    expect(page.unknownPaths).toEqual({ '$.mood': 1 })
    expect(page.rejected).toEqual([{ rule: 'not_a_text', path: '$.name', raw: '5' }])
  })

  test('is answered with the coin as its newest day has it', () => {
    const warehouse = loaded({ ...BODY, name: 'Old' })
    warehouse.load(coinHistory, BODY, slice(DAY + DAY_MS))
    const answer = (date: string) => warehouse.answer(OPERATION, { id: 'bitcoin', date })
    expect(answer('2009-01-01')).toEqual(bare)
    expect(answer('2031-01-01')).toEqual(bare)
    expect(answer('2017-12-30')).toMatchObject({ name: 'Old' })
  })

  test('is answered from the list of coins where nothing else is known', () => {
    const warehouse = new Warehouse()
    warehouse.load(coins, [{ id: 'bitcoin', symbol, name, platforms: {} }])
    expect(warehouse.answer(OPERATION, PARAMS)).toEqual({ id: 'bitcoin', symbol, name })
    expect(warehouse.answer(OPERATION, { ...PARAMS, id: 'Bitcoin' })).toBeNull()
  })
})

test('the service gives exactly the day, with names unless they are not wanted', () => {
  const warehouse = loaded({ ...BODY, symbol: 'before' }, DAY - DAY_MS)
  warehouse.load(coinHistory, BODY, slice())
  warehouse.load(coinHistory, { ...BODY, symbol: 'after' }, slice(DAY + DAY_MS))
  expect(warehouse.answer(OPERATION, PARAMS)).toEqual(BODY)
  const { localization: _names, ...withoutNames } = BODY
  expect(warehouse.answer(OPERATION, { ...PARAMS, localization: 'false' })).toEqual(withoutNames)
})

test('the service knows no day that has not begun', () => {
  expect(loaded().answer(OPERATION, PARAMS, DAY)).toEqual(BODY)
  expect(loaded().answer(OPERATION, PARAMS, DAY - 1)).toBeNull()
})

test.each(['', '30-12-2017', '2017-12-32'])('the service finds no day for %j', (date) => {
  const answer = loaded().answer(OPERATION, { id: 'bitcoin', date })
  expect(answer).not.toHaveProperty('market_data')
})
