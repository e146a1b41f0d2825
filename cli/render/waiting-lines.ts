import type { RunReport } from '../../activities/run-report.ts'
import { counted } from './quantities.ts'

/** Slices that wait for the next month of the key, by dataset. */
export function waitingLines({ waiting, slices }: RunReport): string[] {
  if (waiting === undefined) return []
  const day = waiting.untilAt.slice(0, 10)
  if (slices.planned === 0) {
    return [`nothing was planned yet: the coins are chosen when the month begins anew on ${day}`]
  }
  const wait = counted(waiting.slices, 'slice waits', 'slices wait')
  return [
    `${wait} for the next month, which begins on ${day} (UTC):`,
    ...waiting.datasets.map(({ dataset, slices: count, first }) => {
      const more = count > 1 ? ` and ${counted(count - 1, 'more', 'more')}` : ''
      return `  ${dataset} ${first}${more}`
    }),
  ]
}
