import { expect, test } from 'vitest'
import type { RowSelection } from '../../../datasets/dataset.ts'
import { createMadeRows } from '../../../service/simulated/made-rows.ts'
import type { RowMaker } from '../../../service/simulated/made-rows.ts'

/** A selection of the rows of one owner. */
function rowsOf(owner: string): RowSelection {
  return { table: 'facts', equals: { owner }, orderBy: [] }
}

/** Writes down what it is told to do; two rows an owner, and none of what is unknown. */
function recordingMaker(faults: string[] = []): { log: string[]; maker: RowMaker } {
  const log: string[] = []
  const maker: RowMaker = {
    ownerOf: ({ equals }) => (equals?.['owner'] === 'unknown' ? null : String(equals?.['owner'])),
    make: async (owner) => {
      await Promise.resolve()
      const fault = faults.shift()
      if (fault !== undefined) throw new Error(fault)
      log.push(`make ${owner}`)
      return 2
    },
    clear: async () => {
      await Promise.resolve()
      log.push('clear')
    },
  }
  return { log, maker }
}

test('what several ask for at once is made once, and what is unknown not at all', async () => {
  const { log, maker } = recordingMaker()
  const rows = createMadeRows(maker, 100)
  const asked = [['a', 'b'], ['a'], ['b', 'b'], ['unknown']]
  await Promise.all(asked.map((owners) => rows.prepare(owners.map(rowsOf))))
  await rows.prepare([rowsOf('a')])
  expect(log).toEqual(['make a', 'make b'])
})

test('beyond the bound all is thrown away, once nobody reads any more', async () => {
  const { log, maker } = recordingMaker()
  const rows = createMadeRows(maker, 4)
  const releaseA = await rows.prepare([rowsOf('a')])
  const releaseB = await rows.prepare([rowsOf('b')])
  const late = [rows.prepare([rowsOf('a')]), rows.prepare([rowsOf('c')])]
  await rows.prepare([rowsOf('unknown')])
  releaseA()
  await new Promise((resolve) => setImmediate(resolve))
  expect(log).toEqual(['make a', 'make b'])
  releaseB()
  await Promise.all(late)
  expect(log).toEqual(['make a', 'make b', 'clear', 'make a', 'make c'])
})

test('what failed is tried again by the next, and holds up nobody', async () => {
  const { log, maker } = recordingMaker(['disk full'])
  const rows = createMadeRows(maker, 2)
  const [first, other] = await Promise.allSettled([
    rows.prepare([rowsOf('a')]),
    rows.prepare([rowsOf('b')]),
  ])
  expect(first).toMatchObject({ status: 'rejected', reason: { message: 'disk full' } })
  expect(other.status).toBe('fulfilled')
  if (other.status === 'fulfilled') other.value()
  // The bound was reached: it is only passed when the failed one reads no more either.
  await rows.prepare([rowsOf('a')])
  expect(log).toEqual(['make b', 'clear', 'make a'])
})
