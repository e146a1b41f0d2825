import { expect, test } from 'vitest'
import { nextSlices } from '../../../activities/plan/next-slices.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'

const INPUT = { runId: 'run', after: -1, limit: 400 }
/** A history holds some ten thousand slices. */
const MOST_CHARS = 66_000

function slices(count: number, entity: string): PlannedSlice[] {
  return Array.from({ length: count }, (_, ordinal) => ({
    dataset: 'coin_markets',
    entity,
    vsCurrency: 'usd',
    granularity: '' as const,
    fromMs: 1_770_000_000_000,
    toMs: 1_770_086_400_000,
    sliceId: 'a'.repeat(20),
    generation: 0,
    ordinal,
  }))
}

/** The ordinals of each look of a run that walks to the end. */
async function walk(count: number, entity: string): Promise<number[][]> {
  const all = slices(count, entity)
  const looks: number[][] = []
  let after = -1
  for (;;) {
    const nextOf = (at: { after: number; limit: number }) =>
      Promise.resolve(all.filter(({ ordinal }) => ordinal > at.after).slice(0, at.limit))
    const store = { nextSlices: nextOf } as unknown as Store
    const found = await nextSlices({ store }, { ...INPUT, after })
    expect(JSON.stringify(found).length).toBeLessThan(MOST_CHARS)
    looks.push(found.slices.map(({ ordinal }) => ordinal))
    after = found.slices.at(-1)?.ordinal ?? after
    if (found.isEnd) return looks
    expect(found.slices.length).toBeGreaterThan(0)
  }
}

test.for([
  { name: 'none', count: 0, entity: 'bitcoin', sizes: [0] },
  { name: 'a few', count: 3, entity: 'bitcoin', sizes: [3] },
  { name: 'many of one coin', count: 800, entity: 'bitcoin', sizes: [342, 342, 116] },
  {
    name: 'lists of 16,000 characters',
    count: 10,
    entity: 'x'.repeat(16_000),
    sizes: [3, 3, 3, 1],
  },
  { name: 'one that is longer than a look', count: 2, entity: 'x'.repeat(65_000), sizes: [1, 1] },
])('$name: every slice once, in order, few kB a look', async ({ count, entity, sizes }) => {
  const looks = await walk(count, entity)
  expect(looks.flat()).toEqual(Array.from({ length: count }, (_, i) => i))
  expect(looks.map((look) => look.length)).toEqual(sizes)
})

test('exactly as many as the limit is not the end: one more look tells', async () => {
  const store = { nextSlices: () => Promise.resolve(slices(5, 'btc')) } as unknown as Parameters<
    typeof nextSlices
  >[0]['store']
  expect(await nextSlices({ store }, { ...INPUT, limit: 5 })).toMatchObject({ isEnd: false })
})
