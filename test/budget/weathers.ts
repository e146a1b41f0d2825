import type { Weather } from './process-time.ts'

/** A machine of one's own. */
export const CALM: Weather = { lateMs: 5, stallEveryMs: 0, stallMs: [0, 0] }
/** A tenth of the time nothing runs: a machine that others use, a collection of garbage, a disk. */
export const STALLING: Weather = { lateMs: 30, stallEveryMs: 15_000, stallMs: [200, 3_000] }
