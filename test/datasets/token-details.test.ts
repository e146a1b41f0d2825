import { describe, expect, test } from 'vitest'
import { tokenDetails } from '../../datasets/token-details.ts'
import { stepsOf } from './context.ts'
import { tablesOf } from './tables-of.ts'
import { Warehouse } from './warehouse.ts'
import { wholeDetail } from './whole-body.ts'

const OPERATION = 'coins/{id}/contract/{contract_address}'
const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const CHECKSUMMED = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const SLICE = { entity: `ethereum/${TETHER}` }
const TOKEN = {
  ...wholeDetail(OPERATION),
  id: 'tether',
  asset_platform_id: 'ethereum',
  contract_address: TETHER,
}

function loaded(body: unknown, entity = SLICE.entity): Warehouse {
  const warehouse = new Warehouse()
  warehouse.load(tokenDetails, body, { entity })
  return warehouse
}

describe('addresses', () => {
  test.each([
    [`ethereum/${CHECKSUMMED}`, 'ethereum', TETHER],
    ['solana/EPjFWdd5AufqSSqeM2qN1', 'solana', 'EPjFWdd5AufqSSqeM2qN1'],
    ['terra-2/ibc/27394FB092D2', 'terra-2', 'ibc/27394FB092D2'],
    ['near/0xABC', 'near', '0xABC'],
    ['x y/[old]', 'x y', '[old]'],
  ])('%s is asked for and stored as %s, %s', (entity, id, contract_address) => {
    expect(stepsOf(tokenDetails, { entity })).toEqual([
      { operation: OPERATION, params: { id, contract_address }, paging: 'single', perPage: 0 },
    ])
    const body = { ...TOKEN, contract_address }
    const { rows } = tablesOf(tokenDetails, body, { entity })
    const row = rows['token_details']![0]!
    expect(row).toMatchObject({ platform_id: id, contract_address })
    expect(loaded(body, entity).answer(OPERATION, { id, contract_address })).toEqual(body)
  })

  test('one whose case is a checksum is found by either spelling', () => {
    const params = { id: 'ethereum', contract_address: CHECKSUMMED }
    expect(loaded(TOKEN).answer(OPERATION, params)).toEqual(TOKEN)
  })

  test('what the source calls it otherwise comes back as it was', () => {
    const body = { ...TOKEN, contract_address: '0xother' }
    const params = { id: 'ethereum', contract_address: TETHER }
    expect(loaded(body).answer(OPERATION, params)).toEqual(body)
  })

  test.each([
    { id: 'polygon-pos', contract_address: TETHER },
    { id: 'ethereum', contract_address: '0xabc' },
  ])('%o is not known', (params) => {
    expect(loaded(TOKEN).answer(OPERATION, params)).toBeNull()
  })
})

test('a coin without an address in its answer is still kept under the one asked for', () => {
  const { contract_address: _address, ...rest } = TOKEN
  const body = { ...rest, mood: 1 }
  const { rows } = tablesOf(tokenDetails, body, SLICE)
  expect(rows['token_details']).toMatchObject([
    { contract_address: TETHER, _extra: expect.stringContaining('mood') as string },
  ])
  const params = { id: 'ethereum', contract_address: TETHER }
  expect(loaded(body).answer(OPERATION, params)).toEqual(body)
})
