import type { RowSelection } from '../../datasets/dataset.ts'

/** Makes rows on request. */
export interface RowMaker {
  /** The owner of the rows that a selection reads; null = there is nothing to make. */
  ownerOf(selection: RowSelection): string | null
  /** Writes all rows of an owner, or none; returns their number. Called for one owner at a time. */
  make(owner: string): Promise<number>
  /** Deletes all made rows. Called while nobody reads. */
  clear(): Promise<void>
}

/** Rows that are made when they are first needed, up to a limit. */
export interface MadeRows {
  /**
   * Makes the rows that the selections read. They stay until the returned function is called.
   *
   * @throws the errors of the maker; the next call tries again.
   */
  prepare(selections: readonly RowSelection[]): Promise<() => void>
}

/**
 * Made rows stay for the next request. Once there are `maxRows`, a new request waits until no answer reads any more,
 * then all rows are deleted. Keeping the newest would only cost more, because an export reads every coin once.
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
    // Checked again, because other woken requests may have reached the limit.
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
    // The next owner is made after this one, even when making this one failed.
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
