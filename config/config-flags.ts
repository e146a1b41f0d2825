/**
 * Values of the command line that go before the file, as raw text. A dataset key given by a flag goes to
 * every chosen dataset that takes it.
 */
export interface ConfigFlags {
  profile?: string | undefined
  baseUrl?: string | undefined
  warehouse?: string | undefined
  /** `--dataset`, repeatable or with commas: only these, whether the file has them or not. */
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
