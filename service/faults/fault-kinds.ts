import { bodyFaults } from './body-faults.ts'
import { stateFaults } from './state-faults.ts'
import { transportFaults } from './transport-faults.ts'

/** All kinds of faults by name, in the order of docs/faults.md. */
export const FAULT_KINDS = { ...transportFaults, ...bodyFaults, ...stateFaults }

export type FaultName = keyof typeof FAULT_KINDS

export function isFaultName(name: unknown): name is FaultName {
  return typeof name === 'string' && Object.hasOwn(FAULT_KINDS, name)
}
