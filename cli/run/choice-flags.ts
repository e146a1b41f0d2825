import type { ConfigFlags } from '../../config/config-flags.ts'
import type { Options } from '../effects.ts'

/** The flags of `addChoiceOptions`, which choose within a dataset, by commander's names. */
export const CHOICE_FLAGS = [
  'from',
  'to',
  'coins',
  'exchanges',
  'derivativeExchanges',
  'tokens',
  'queries',
  'vs',
  'granularity',
] as const satisfies readonly (keyof ConfigFlags)[]

/** The text of an option; undefined = it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The names of a csv; undefined = the option was not given. */
export function namesOption(options: Options, name: string): string[] | undefined {
  return textOption(options, name)
    ?.split(',')
    .map((one) => one.trim())
}

export function choiceFlags(options: Options): Pick<ConfigFlags, (typeof CHOICE_FLAGS)[number]> {
  return Object.fromEntries(CHOICE_FLAGS.map((name) => [name, textOption(options, name)]))
}
