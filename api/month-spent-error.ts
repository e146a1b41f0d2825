import { CoinlakeError, EXIT, type ErrorFacts } from '../config/coinlake-error.ts'

/** The state of a month that has no call left for a request. */
export interface SpentMonth {
  /** When the next month begins; epoch ms. */
  endsAtMs: number
  /** Calls that the month holds. */
  ceiling: number
  /** Calls of the ceiling reserved from backfills; null = the request could have used them. */
  reserve: number | null
  /** Whether the ceiling is the service's; else it is the configuration's. */
  isTold: boolean
  /** Identifies the key without revealing it. */
  keyId: string
}

/**
 * The key's month has no call left for this request, which was not sent. Exit code 3, because the next month fetches
 * the missing slices.
 */
export class MonthSpentError extends CoinlakeError {
  override readonly exitCode = EXIT.gaps
  readonly untilMs: number

  constructor({ endsAtMs, ceiling, reserve, isTold, keyId }: SpentMonth) {
    const whole = `${ceiling} calls (${isTold ? 'as the service tells' : 'source.monthly_calls'})`
    const what =
      reserve === null
        ? `is used up: ${whole}`
        : `has no call left for a backfill: ${whole}, of which ${reserve} are kept for schedules and refetches (source.monthly_reserve)`
    const day = new Date(endsAtMs).toISOString().slice(0, 10)
    const facts: ErrorFacts = {
      code: 'MONTH_SPENT',
      hint: `Run the same command again from ${day} (UTC): it goes on where it stopped. Sooner: raise source.monthly_calls if the plan of the key has more, or add a key with source.api_keys.`,
    }
    super(`the month of key ${keyId} ${what}`, facts)
    this.untilMs = endsAtMs
  }
}
