/**
 * Flags as raw text; they replace values of the file. A dataset key's flag changes each chosen dataset that takes it.
 */
export interface ConfigFlags {
  profile?: string | undefined
  baseUrl?: string | undefined
  warehouse?: string | undefined
  /** `--dataset`: only these datasets, also those that the file lacks. */
  datasets?: readonly string[] | undefined
  coins?: string | undefined
  exchanges?: string | undefined
  derivativeExchanges?: string | undefined
  tokens?: string | undefined
  queries?: string | undefined
  vs?: string | undefined
  granularity?: string | undefined
  from?: string | undefined
  to?: string | undefined
  every?: string | undefined
  log?: string | undefined
}
