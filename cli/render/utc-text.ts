/** 2026-01-15T12:05:00.000Z as 2026-01-15 12:05Z: a moment for people. */
export function utcMinute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`
}

/** The UTC day of a moment: 2026-01-15. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
