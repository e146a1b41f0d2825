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

/** The id columns of a token, by the entity of its slice. */
export function tokenColumns(entity: string): { platform_id: string; contract_address: string } {
  const { platformId, contractAddress } = tokenOf(entity)
  return { platform_id: platformId, contract_address: contractAddress }
}

/** The parameters that name a token in a path. */
export function tokenParams(entity: string): ParamValues {
  const { platformId, contractAddress } = tokenOf(entity)
  return { id: platformId, contract_address: contractAddress }
}
