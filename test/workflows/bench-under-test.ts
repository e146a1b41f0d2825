import { inject, onTestFinished } from 'vitest'
import { fakeWarehouse, type FakeWarehouse, type FakeWarehouseOptions } from './fake-warehouse.ts'
import { type BenchOptions, openBench, type WorkflowBench } from './workflow-bench.ts'

/** The workflows on the test run's server, over a fake warehouse, until the test ends. */
export async function benchUnderTest(
  options: FakeWarehouseOptions & Omit<BenchOptions, 'address' | 'warehouse'>,
): Promise<{ warehouse: FakeWarehouse; bench: WorkflowBench }> {
  const warehouse = fakeWarehouse(options)
  const bench = await openBench({ ...options, address: inject('temporal').address, warehouse })
  onTestFinished(() => bench.close())
  return { warehouse, bench }
}

/** Every ordinal of a plan. */
export function ordinals(count: number): number[] {
  return Array.from({ length: count }, (_, ordinal) => ordinal)
}

/** Batches work at the same time: their slices have no order. */
export function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b)
}
