import type { Secret } from './secret.ts'

/**
 * The text with every spelling of the secret replaced by `[secret]`: plain, URL-encoded, JSON-escaped and
 * Base64. For foreign text (error bodies, stack traces), which may repeat a header.
 */
export function redact(text: string, secret: Secret | null): string {
  const value = secret?.reveal() ?? ''
  if (value === '') return text
  const spellings = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString('base64'),
  ]
  return spellings.reduce((shown, spelling) => shown.replaceAll(spelling, '[secret]'), text)
}
