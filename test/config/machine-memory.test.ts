import { totalmem } from 'node:os'
import { expect, test, vi } from 'vitest'
import { machineMemoryBytes } from '../../config/machine-memory.ts'

test.each([
  ['no limit is known', 0, totalmem()],
  ['there is no limit', Number.MAX_SAFE_INTEGER, totalmem()],
  ['a container has less', 1_024, 1_024],
])('where %s', (_, limitBytes, bytes) => {
  const asked = vi.spyOn(process, 'constrainedMemory').mockReturnValue(limitBytes)
  expect(machineMemoryBytes()).toBe(bytes)
  asked.mockRestore()
})
