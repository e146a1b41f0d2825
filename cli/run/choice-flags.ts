import type { ConfigFlags } from '../../config/config-flags.ts'

/** The text of an option; undefined = it was not given. */
export function textOption(
  options: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The flags of `addChoiceOptions`, which choose within a dataset. */
export function choiceFlags(
  options: Readonly<Record<string, unknown>>,
): Omit<ConfigFlags, 'datasets'> {
  const text = (name: string): string | undefined => textOption(options, name)
  return {
    coins: text('coins'),
    exchanges: text('exchanges'),
    derivativeExchanges: text('derivativeExchanges'),
    tokens: text('tokens'),
    queries: text('queries'),
    vs: text('vs'),
    granularity: text('granularity'),
    from: text('from'),
    to: text('to'),
  }
}
