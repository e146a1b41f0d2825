/** 2026-01-15T12:05:00.000Z as 2026-01-15 12:05Z: a moment for people. */
export function utcMinute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`
}
