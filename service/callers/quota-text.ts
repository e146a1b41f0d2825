import { parseDurationMs } from '../../config/values/duration.ts'
import type { QuotaOptions } from './quota.ts'

/** The quota `500/1m` as a fixed window; null when the text is no quota. */
export function parseQuotaText(text: string): QuotaOptions | null {
  const [calls = '', per = '', ...more] = text.split('/')
  const perMs = parseDurationMs(per)
  if (!/^[1-9]\d{0,8}$/.test(calls) || perMs === null || more.length > 0) return null
  return { calls: Number(calls), perMs, kind: 'fixed' }
}
