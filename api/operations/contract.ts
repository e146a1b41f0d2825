import { chartOperations } from './charts.ts'
import { operation, type Param } from './describe-operation.ts'
import { pathId, pathParam } from './params.ts'
import { COIN_DETAIL } from './response-shapes.ts'

/** In these paths `{id}` is the platform of the contract. */
const TOKEN: readonly Param[] = [
  pathId('asset platform', 'ethereum'),
  pathParam(
    'contract_address',
    "Address of the token's contract; case does not matter on EVM platforms.",
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
  ),
]

export const TOKEN_OPERATIONS = [
  operation({
    id: 'coins/{id}/contract/{contract_address}',
    summary: 'Everything known of the coin of a contract.',
    subject: 'token',
    params: TOKEN,
    response: COIN_DETAIL,
    cacheAgeS: 60,
  }),
  ...chartOperations('coins/{id}/contract/{contract_address}', 'token', TOKEN, ' of a token'),
] as const
