/** Lets one piece of work run at a time, in the order they came. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>
}

/** A new queue of turns; work that fails does not stop what waits behind it. */
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
