/** Runs one piece of work at a time, in the order of the calls. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>
}

/** A new queue of turns. Failed work does not stop the next. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async take(work) {
      const mine = last.then(work, work)
      last = mine.catch(() => {})
      return await mine
    },
  }
}
