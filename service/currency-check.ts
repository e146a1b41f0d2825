import type { Operation, ParamValues } from '../api/operation.ts'
import type { AnswerSource } from './answer-source.ts'

/** The fault of a request's one currency, as a message; null = none. */
export type CurrencyCheck = (operation: Operation, params: ParamValues) => Promise<string | null>

/**
 * Holds `vs_currency` against the currencies that the source supports. Lists of currencies are not
 * checked: unknown ones are left out of an answer, as unknown ids are. A source that does not know its
 * currencies takes any.
 */
export function createCurrencyCheck(source: AnswerSource): CurrencyCheck {
  let currencies: Promise<ReadonlySet<string>> | null = null
  return async (operation, params) => {
    const param = operation.params.find(({ isCurrency, type }) => isCurrency && type === 'string')
    const code = param === undefined ? undefined : params[param.name]
    if (param === undefined || code === undefined || source.currencies === undefined) return null
    currencies ??= source.currencies().catch((fault: unknown) => {
      // The next request loads the list again: one fault must not refuse every later request.
      currencies = null
      throw fault
    })
    const codes = await currencies
    if (codes.size === 0 || codes.has(code)) return null
    return `Invalid parameter ${param.name}: ${JSON.stringify(code)}, expected a code of simple/supported_vs_currencies`
  }
}
