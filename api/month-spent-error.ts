import { CoinlakeError, EXIT } from '../config/coinlake-error.ts'

export interface SpentMonth {
  /** Start of the next month; epoch ms. */
  endsAtMs: number
  ceiling: number
  /** null: this request may use it, too. */
  reserve: number | null
  /** true: the service names the ceiling; false: the configuration does. */
  isOfService: boolean
  /** Identifies the key without revealing it. */
  keyId: string
}

/** The request was not sent, because the key's month has no call left. Exit code 3: the next month fetches the rest. */
export class MonthSpentError extends CoinlakeError {
  override readonly exitCode = EXIT.gaps
  readonly untilMs: number

  constructor({ endsAtMs, ceiling, reserve, isOfService, keyId }: SpentMonth) {
    const whole = `${ceiling} calls (${isOfService ? 'as the service tells' : 'source.monthly_calls'})`
    const what =
      reserve === null
        ? `is used up: ${whole}`
        : `has no call left for a backfill: ${whole}, of which ${reserve} are kept for schedules and refetches (source.monthly_reserve)`
    const day = new Date(endsAtMs).toISOString().slice(0, 10)
    super(`the month of key ${keyId} ${what}`, {
      code: 'MONTH_SPENT',
      hint: `Run the same command again from ${day} (UTC): it goes on where it stopped. Sooner: raise source.monthly_calls if the plan of the key has more, or add a key with source.api_keys.`,
    })
    this.untilMs = endsAtMs
  }
}
