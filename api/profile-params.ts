import type { ParamFact, Profile } from '../config/profiles.ts'
import { type Operation, type OperationId, operations } from './operations.ts'
import type { Param } from './operations/describe-operation.ts'

/** All operations, with the parameters that this provider has and requires, and the values that it also allows. */
export function withProfileParams(profile: Profile): readonly Operation[] {
  return Object.values(operations).map((operation) => ({
    ...operation,
    params: operation.params.flatMap((param) => profileParam(profile, operation.id, param)),
  }))
}

/** The parameter as this provider has it; none where it has no such parameter. */
function profileParam(profile: Profile, operation: OperationId, param: Param): Param | [] {
  const concerns = (fact: ParamFact): boolean =>
    fact.param === param.name && (fact.operation === null || fact.operation === operation)
  const { requiredParams, absentParams, moreAllowed } = profile.served
  if (absentParams.some(concerns)) return []
  const isRequired = requiredParams.some(concerns)
  const more = moreAllowed.filter(concerns).map(({ value }) => value)
  if (!isRequired && more.length === 0) return param
  const { default: _, ...withoutDefault } = param
  return {
    ...(isRequired ? withoutDefault : param),
    required: param.required || isRequired,
    ...(param.allowed === undefined ? {} : { allowed: [...param.allowed, ...more] }),
  }
}
