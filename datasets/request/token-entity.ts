import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { canonicalAddress, parseTokenRef, type TokenRef } from '../../config/values/token-ref.ts'

/** The token in a slice's entity, its address in canonical form. */
export function tokenOf(entity: string): TokenRef {
  const { platformId, contractAddress } = parseTokenRef(entity) ?? {
    platformId: entity,
    contractAddress: '',
  }
  return { platformId, contractAddress: canonicalAddress(contractAddress) }
}

/** The id columns of the token that a request names. */
export function askedTokenColumns(params: ParamValues): Record<string, string> {
  const { id = '', contract_address = '' } = params
  return { platform_id: id, contract_address: canonicalAddress(contract_address) }
}

export function tokenParams(entity: string): ParamValues {
  const { platformId, contractAddress } = tokenOf(entity)
  return { id: platformId, contract_address: contractAddress }
}
