import { totalmem } from 'node:os'

/** The memory that this process may take: that of the machine, or of its container where that has a limit. */
export function machineMemoryBytes(): number {
  // 0 = not known; without a limit cgroups tell a number beyond any machine.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}
