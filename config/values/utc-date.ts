/** The form of a date, or a date and time with an optional zone. The JSON schema has it too. */
export const UTC_DATE_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$'

const dateForm = new RegExp(UTC_DATE_PATTERN)
const MINUTE_MS = 60_000
const MAX_ZONE_HOURS = 14

/**
 * `2024-01-01` or an ISO time as epoch milliseconds. null = neither, or no day of the calendar (2024-02-30). A time
 * without a zone is UTC. Days before 1970 give null, because nothing was traded then.
 */
export function parseUtcMs(text: string): number | null {
  if (!dateForm.test(text)) return null
  const zone = /(?:Z|([+-])(\d{2}):(\d{2}))$/.exec(text.slice(10))
  const local = text.slice(0, zone === null ? undefined : -zone[0].length).replace(' ', 'T')
  const [date = '', time = '00:00'] = local.split('T')
  const localMs = Date.parse(`${date}T${time}Z`)
  // Compared, because Date.parse moves 02-30 into March and 24:00 into the next day.
  const wanted = `${date}T${time}`
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(wanted.slice(0, 19))) {
    return null
  }
  const offsetMs = zone?.[1] === undefined ? 0 : zoneOffsetMs(zone[1], zone[2], zone[3])
  if (offsetMs === null) return null
  const ms = localMs - offsetMs
  return ms < 0 ? null : ms
}

function zoneOffsetMs(sign: string, hours = '', minutes = ''): number | null {
  if (Number(hours) > MAX_ZONE_HOURS || Number(minutes) > 59) return null
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return sign === '-' ? -offsetMs : offsetMs
}

/** Epoch milliseconds as a date in a config: `2024-01-01`, with the time only if it is not midnight. */
export function formatUtc(ms: number): string {
  const text = new Date(ms).toISOString()
  if (text.endsWith('T00:00:00.000Z')) return text.slice(0, 10)
  return text.replace('.000Z', 'Z')
}
