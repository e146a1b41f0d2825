import { count } from './quantities.ts'

/** The calls of a month, and what is used and left of them. */
export function monthText(used: number, monthlyCalls: number): string {
  const left = Math.max(0, monthlyCalls - used)
  return `${count(monthlyCalls)} calls; ${count(used)} used, ${count(left)} left`
}
