import { expect, test } from 'vitest'
import { FAULT_PRESETS, presetFaults } from '../../../service/faults/fault-presets.ts'
import { exportsUnder } from './export-under-faults.ts'

/** Chosen so that every fault of the preset comes up. */
const SEED = 1

test('an export under `mild` ends complete, with the tables of an undisturbed one', async () => {
  const startedMs = performance.now()
  const [calm, mild] = await exportsUnder([[], presetFaults('mild', SEED)])
  const met = mild!.requests.flatMap(({ injected }) => injected ?? [])
  const counts = Map.groupBy(met, (name) => name)
  console.log(
    `mild: ${mild!.requests.length} requests for ${calm!.requests.length}, ` +
      [...counts].map(([name, { length }]) => `${length} ${name}`).join(', ') +
      `; ${Math.round((performance.now() - startedMs) / 1_000)} s in all`,
  )
  expect(calm!.report).toMatchObject({ verdict: 'complete', failures: [] })
  expect(new Set(counts.keys())).toEqual(
    new Set(FAULT_PRESETS.mild.faults.map(({ fault }) => fault)),
  )
  expect(mild!.report).toMatchObject({ verdict: 'complete', failures: [] })
  expect(mild!.tables).toEqual(calm!.tables)
  expect(
    Object.values(calm!.tables).filter((text) => !text.startsWith('0 rows')).length,
  ).toBeGreaterThan(8)
})
