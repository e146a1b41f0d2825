import type { Operation } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { AnswerSource } from './answer-source.ts'

/**
 * Checks `vs_currency` against the currencies of the source. A list of currencies is not checked: an answer leaves out
 * unknown ones, as it does unknown ids.
 *
 * @returns a function for the message when the currency is not supported; its null = supported
 */
export function createCurrencyCheck(source: AnswerSource) {
  let currencies: ReadonlySet<string> | null = null
  return async (operation: Operation, params: ParamValues): Promise<string | null> => {
    const param = operation.params.find(({ isCurrency, type }) => isCurrency && type === 'string')
    const code = param === undefined ? undefined : params[param.name]
    if (param === undefined || code === undefined || source.currencies === undefined) return null
    // A failed read is not kept, so the next request reads again.
    currencies ??= await source.currencies()
    if (currencies.size === 0 || currencies.has(code)) return null
    return `Invalid parameter ${param.name}: ${JSON.stringify(code)}, expected a code of simple/supported_vs_currencies`
  }
}
