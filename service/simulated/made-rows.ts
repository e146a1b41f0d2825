import type { RowSelection } from '../../datasets/dataset.ts'

/** Where rows that are made when they are asked for are written to. */
export interface RowMaker {
  /** The owner of the rows that a selection reads; null = the rows exist already, or nowhere. */
  ownerOf(selection: RowSelection): string | null
  /** Writes all rows of an owner, or none; returns how many. Called for one owner at a time. */
  make(owner: string): Promise<number>
  /** Throws away everything that was made. Called while nobody reads. */
  clear(): Promise<void>
}

/** Rows made when they are first asked for, no more of them at once than there is room for. */
export interface MadeRows {
  /**
   * Makes what the selections read. The rows stay until `release` is called.
   *
   * @throws what the maker threw; the next to ask tries again.
   */
  prepare(selections: readonly RowSelection[]): Promise<() => void>
}

/**
 * Made rows stay for the next request. Once there are `maxRows`, a new request waits until no answer reads any more,
 * and all rows are thrown away: an export that walks over every coin never comes back to one, so keeping the most
 * recent would only cost more.
 */
export function createMadeRows(maker: RowMaker, maxRows: number): MadeRows {
  const made = new Map<string, Promise<void>>()
  let rowCount = 0
  let readers = 0
  let whenIdle: (() => void)[] = []
  let clearing: Promise<void> | null = null
  let lastMade: Promise<unknown> = Promise.resolve()

  const clear = async (): Promise<void> => {
    made.clear()
    await maker.clear()
    rowCount = 0
  }

  const enter = async (): Promise<void> => {
    if (rowCount < maxRows) {
      readers += 1
      return
    }
    if (readers > 0) {
      await new Promise<void>((resolve) => whenIdle.push(resolve))
    } else {
      clearing ??= clear().finally(() => {
        clearing = null
      })
      await clearing
    }
    // Others were woken too, and may have filled it again.
    await enter()
  }

  const leave = (): void => {
    readers -= 1
    if (readers > 0) return
    const waiting = whenIdle
    whenIdle = []
    for (const wake of waiting) wake()
  }

  const makeAfter = async (previous: Promise<unknown>, owner: string): Promise<void> => {
    await previous
    const count = await maker.make(owner)
    rowCount += count
  }

  const ensure = (owner: string): Promise<void> => {
    const known = made.get(owner)
    if (known !== undefined) return known
    const making = makeAfter(lastMade, owner)
    // One after the other, whatever became of the one before.
    lastMade = making.catch(() => made.delete(owner))
    made.set(owner, making)
    return making
  }

  return {
    prepare: async (selections) => {
      const owners = new Set(selections.map((selection) => maker.ownerOf(selection)))
      owners.delete(null)
      if (owners.size === 0) return () => {}
      await enter()
      try {
        for (const owner of owners) await ensure(owner!)
      } catch (cause) {
        leave()
        throw cause
      }
      return leave
    },
  }
}
