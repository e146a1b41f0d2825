import type { RowSelection } from '../../datasets/dataset.ts'

export interface RowMaker {
  /** The owner of the rows that a selection reads; null = no rows to make. */
  ownerOf(selection: RowSelection): string | null
  /** Writes all rows of an owner, or none, one owner at a time. @returns their number */
  make(owner: string): Promise<number>
  /** Deletes all made rows. Called only while no answer reads them. */
  clear(): Promise<void>
}

/** Rows that are made when a request first needs them, up to a limit. */
export interface MadeRows {
  /** Makes the rows that the selections read. They stay until the returned function is called. @throws the maker's errors */
  prepare(selections: readonly RowSelection[]): Promise<() => void>
}

/**
 * Made rows stay for later requests. From `maxRows` on, a new request waits until no answer reads, then all rows are
 * deleted. Keeping the newest would not help: an export reads every coin once.
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
    // Checked again: other woken requests may have reached the limit.
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
    // The next owner is made after this one, even if this one fails.
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
