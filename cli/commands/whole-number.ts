import { ConfigError } from '../../config/config-error.ts'

/** The value of a flag that counts something, from 0. @throws ConfigError USAGE */
export function wholeNumber(flag: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback
  const number = Number(value)
  if (typeof value === 'string' && /^\d+$/.test(value) && Number.isSafeInteger(number))
    return number
  throw new ConfigError(`${flag} ${JSON.stringify(value)} is no whole number`, {
    code: 'USAGE',
    hint: `Give ${flag} a number such as 20.`,
  })
}
