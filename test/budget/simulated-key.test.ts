import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SimulatedKey, simulateKey } from './simulated-key.ts'
import { usedPart } from './used-part.ts'
import type { Weather } from './process-time.ts'

/** A machine of one's own. */
const CALM: Weather = { lateMs: 5, stallEveryMs: 0, stallMs: [0, 0] }
/** A tenth of the time nothing runs: a machine that others use, a collection of garbage, a disk. */
const STALLING: Weather = { lateMs: 30, stallEveryMs: 15_000, stallMs: [200, 3_000] }

// The measurement of `npm run bench budget`, in simulated time: pacers, links and the steering
// are the real ones, the service counts with its own quota.

const units = ['seconds_left', 'epoch_s', 'epoch_ms'] as const
const limits = [
  { calls: 30, perMs: 10_000, windows: 10, least: { steady: 0.99, cold: 0.97 } },
  { calls: 500, perMs: 60_000, windows: 5, least: { steady: 0.99, cold: 0.97 } },
  { calls: 5, perMs: 1_000, windows: 40, least: { steady: 0.9, cold: 0.9 } },
]
const SEEDS = [1, 2]

const base = {
  told: null,
  foreignCalls: 0,
  latencyMs: [4, 25],
  weather: CALM,
  windows: 10,
  processes: 1,
} as const

describe.each(['fixed', 'sliding'] as const)('a %s window', (kind) => {
  describe.each([1, 4])('with %i processes', (processes) => {
    test.for(limits.flatMap((limit) => units.map((unit) => ({ ...limit, unit }))))(
      '$calls per $perMs ms, reset as $unit: none refused, the budget used',
      async ({ calls, perMs, windows, least, unit }) => {
        for (const seed of SEEDS) {
          const quota = { calls, perMs, kind }
          const key = { ...base, quota, resetUnit: unit, processes, windows, seed }
          const part = usedPart(key, await simulateKey(key))
          expect(part.refused).toBe(0)
          expect(part.steady).toBeGreaterThanOrEqual(least.steady)
          expect(part.cold).toBeGreaterThanOrEqual(least.cold)
        }
      },
    )
  })
})

// In epoch seconds a window of 2 s looks like one of 1 s that was rounded up, until a call of each process is refused.
test.for(
  [2_000, 3_000, 4_000].flatMap((perMs) =>
    units.flatMap((resetUnit) => [1, 4].map((processes) => ({ perMs, resetUnit, processes }))),
  ),
)(
  'a limit of 30 in $perMs ms is learned, reset as $resetUnit, with $processes processes',
  async ({ perMs, ...more }) => {
    for (const [seed, kind] of [
      [1, 'fixed'],
      [2, 'sliding'],
    ] as const) {
      const key = { ...base, ...more, quota: { calls: 30, perMs, kind }, windows: 30, seed }
      const part = usedPart(key, await simulateKey(key))
      expect(part.refused).toBeLessThanOrEqual(more.resetUnit === 'epoch_s' ? more.processes : 0)
      expect(part.steady).toBeGreaterThanOrEqual(more.resetUnit === 'epoch_s' ? 0.6 : 0.9)
    }
  },
)

test.for(
  [4_000, 5_000].flatMap((perMs) =>
    units.flatMap((resetUnit) =>
      (['fixed', 'sliding'] as const).map((kind) => ({ perMs, resetUnit, kind })),
    ),
  ),
)(
  'slow answers make no $kind window of $perMs ms look shorter, reset as $resetUnit',
  async ({ perMs, resetUnit, kind }) => {
    for (const seed of [1, 2, 3, 4]) {
      const quota = { calls: 30, perMs, kind }
      const slow = { latencyMs: [300, 900] as const, windows: 30 }
      const key = { ...base, ...slow, quota, resetUnit, seed }
      const part = usedPart(key, await simulateKey(key))
      expect(part.refused).toBe(0)
      expect(part.steady).toBeGreaterThanOrEqual(0.7)
    }
  },
)

// Whole seconds may make the first seconds of a standing clock look shorter, and two old Dates may be the same by chance.
const STANDING = { date: 'stands still', clockMs: () => Date.UTC(2024, 2, 31) }
test.for(
  [
    { ...STANDING, perMs: 5_000, most: 1 },
    { ...STANDING, perMs: 10_000, most: 0 },
    { date: 'a cache has kept now and then', oldDates: 0.02, perMs: 10_000, most: 1 },
  ].flatMap((source) => units.map((resetUnit) => ({ ...source, resetUnit }))),
)(
  'a source whose Date $date refuses at most $most, 30 in $perMs ms, reset as $resetUnit',
  async ({ perMs, most, ...source }) => {
    for (let seed = 1; seed <= 12; seed += 1) {
      for (const kind of ['fixed', 'sliding'] as const) {
        const key = { ...base, ...source, quota: { calls: 30, perMs, kind }, seed, windows: 6 }
        const part = usedPart(key, await simulateKey(key))
        expect(part.refused).toBeLessThanOrEqual(most)
        expect(part.steady).toBeGreaterThanOrEqual(0.9)
      }
    }
  },
)

test('whoever stands still now and then is never refused and catches up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        kind: fc.constantFrom('fixed' as const, 'sliding' as const),
        resetUnit: fc.constantFrom(...units),
        calls: fc.integer({ min: 8, max: 60 }),
        perMs: fc.constantFrom(10_000, 30_000),
        processes: fc.constantFrom(1, 4),
        isRateTold: fc.boolean(),
        // Slow answers overtake each other.
        latencyMs: fc.constantFrom([4, 25] as const, [300, 900] as const),
        seed: fc.nat(),
      }),
      async ({ kind, calls, perMs, isRateTold, ...more }) => {
        const quota = { calls, perMs, kind }
        const told = isRateTold ? { calls, perMs } : null
        const key: SimulatedKey = { ...base, ...more, quota, told, weather: STALLING }
        const part = usedPart(key, await simulateKey(key))
        expect(part.refused).toBe(0)
        if (more.latencyMs[1] < 100) expect(part.steady).toBeGreaterThanOrEqual(0.7)
      },
    ),
    { numRuns: 40, seed: 20_261_121 },
  )
})

test.for(units.flatMap((resetUnit) => SEEDS.map((seed) => ({ resetUnit, seed }))))(
  'another client takes 9 of 30 calls: few of ours are refused, reset as $resetUnit, seed $seed',
  async ({ resetUnit, seed }) => {
    const quota = { calls: 30, perMs: 10_000, kind: 'fixed' } as const
    const key = { ...base, quota, resetUnit, foreignCalls: 9, seed }
    const part = usedPart(key, await simulateKey(key))
    expect(part.refused).toBeLessThanOrEqual(key.windows)
    expect(part.steady).toBeGreaterThanOrEqual(0.93)
  },
)

describe.each(['fixed', 'sliding'] as const)(
  'a %s window without headers, told too high',
  (kind) => {
    test.for([1, 4].flatMap((processes) => SEEDS.map((seed) => ({ processes, seed }))))(
      '$processes processes, seed $seed: a burst of refusals in most windows at the worst, nearly all is used',
      async ({ processes, seed }) => {
        const quota = { calls: 30, perMs: 10_000, kind }
        const told = { calls: 45, perMs: 10_000 }
        const key = { ...base, quota, told, resetUnit: null, processes, windows: 20, seed }
        const use = await simulateKey(key)
        const bursts = use.refused.filter((ms, at) => ms - (use.refused[at - 1] ?? 0) > 1_000)
        expect(bursts.length).toBeLessThanOrEqual(key.windows * 0.75)
        // Some of several processes have a call under way.
        expect(use.refused.length).toBeLessThanOrEqual(key.windows * 1.25)
        expect(usedPart(key, use).steady).toBeGreaterThanOrEqual(0.93)
      },
    )
  },
)
