import { totalmem } from 'node:os'

/** The memory that this process may use: that of the machine, or the limit of its container. */
export function machineMemoryBytes(): number {
  // 0 = unknown. Without a limit, constrainedMemory is larger than any machine.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}
