import { ConfigError } from '../../config/config-error.ts'
import { zoneName } from '../../config/settings/schedule-kinds.ts'
import { DAY_MS, MINUTE_MS } from '../../config/values/duration.ts'

/** Text of an instant (epoch microseconds, as in TIMESTAMPTZ) in one time zone. */
export type FormatInstant = (micros: bigint) => string

const US_PER_MS = 1_000n
/** Offsets change only at quarter hours, so an offset holds for its quarter. */
const QUARTER_MS = 15 * MINUTE_MS
/** The reach of a JavaScript Date from 1970, less a day for the offset of the zone. */
const DATE_LIMIT_MS = 8_640_000_000_000_000 - DAY_MS
const INFINITY_US = 9_223_372_036_854_775_807n

/**
 * Writes instants as ISO 8601 with milliseconds, and with microseconds if there are any: `2024-01-01T00:00:00.000Z` in
 * UTC, `...+09:00` elsewhere. DuckDB's own text would follow the zone of this machine.
 *
 * @throws ConfigError BAD_TIME_ZONE
 */
export function instantFormatter(zone: string): FormatInstant {
  const offsetMsAt = zone === 'UTC' ? () => 0 : zoneOffsets(zone)
  return (micros) => {
    if (micros === INFINITY_US) return 'infinity'
    if (micros === -INFINITY_US) return '-infinity'
    const subMs = ((micros % US_PER_MS) + US_PER_MS) % US_PER_MS
    const ms = Number((micros - subMs) / US_PER_MS)
    if (Math.abs(ms) > DATE_LIMIT_MS) return `${micros} us`
    const offsetMs = offsetMsAt(ms)
    const local = new Date(ms + offsetMs).toISOString().slice(0, -1)
    const digits = subMs === 0n ? '' : String(subMs).padStart(3, '0')
    return `${local}${digits}${zone === 'UTC' ? 'Z' : offsetText(offsetMs)}`
  }
}

/** The time in ms by which the clocks of a zone are ahead of UTC at an instant. @throws ConfigError BAD_TIME_ZONE */
export function zoneOffsets(zone: string): (ms: number) => number {
  if (zoneName(zone) === null) {
    throw new ConfigError(`there is no time zone ${JSON.stringify(zone)} (flag --tz)`, {
      code: 'BAD_TIME_ZONE',
      hint: 'Write a name of the IANA list, such as UTC, Europe/Berlin or Asia/Tokyo.',
    })
  }
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offsetsMs = new Map<number, number>()
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS)
    const found = offsetsMs.get(quarter)
    if (found !== undefined) return found
    const name = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? ''
    const match = /([+-])(\d{2}):(\d{2})/.exec(name)
    const minutes = match === null ? 0 : Number(match[2]) * 60 + Number(match[3])
    const offsetMs = (match?.[1] === '-' ? -minutes : minutes) * MINUTE_MS
    offsetsMs.set(quarter, offsetMs)
    return offsetMs
  }
}

function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / MINUTE_MS
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
