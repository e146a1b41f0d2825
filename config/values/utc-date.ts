/** A date, or a date and time with an optional zone. */
export const UTC_DATE_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$'

const dateForm = new RegExp(UTC_DATE_PATTERN)
/** No zone is further from UTC than 14 hours. */
const ZONE_PATTERN = /(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * `2024-01-01` or an ISO time as epoch milliseconds. null = neither, or no day of the calendar (2024-02-30). A time
 * without a zone is UTC. Days before 1970 give null, because nothing was traded then.
 */
export function parseUtcMs(text: string): number | null {
  if (!dateForm.test(text)) return null
  const [zone = ''] = ZONE_PATTERN.exec(text) ?? []
  const local = text.slice(0, text.length - zone.length).replace(' ', 'T')
  const [date = '', time = '00:00'] = local.split('T')
  const wanted = `${date}T${time}`
  const localMs = Date.parse(`${wanted}Z`)
  // Compared, because Date.parse moves 02-30 into March and 24:00 into the next day.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(wanted.slice(0, 19))) {
    return null
  }
  const ms = Date.parse(`${wanted}${zone || 'Z'}`)
  return ms < 0 ? null : ms
}

/** Epoch milliseconds as a date in a config: `2024-01-01`, with the time only if it is not midnight. */
export function formatUtc(ms: number): string {
  const text = new Date(ms).toISOString()
  if (text.endsWith('T00:00:00.000Z')) return text.slice(0, 10)
  return text.replace('.000Z', 'Z')
}
