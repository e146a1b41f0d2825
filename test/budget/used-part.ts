import type { KeyUse, SimulatedKey } from './simulated-key.ts'

const COLD_WINDOWS = 2

/** Counts by itself in windows from the first call, wherever the service's own windows begin. */
export function usedPart({ quota, windows, foreignCalls }: SimulatedKey, use: KeyUse) {
  const firstMs = use.good[0] ?? 0
  const between = (times: readonly number[], from: number, to: number): number =>
    times.filter((ms) => ms >= firstMs + from * quota.perMs && ms < firstMs + to * quota.perMs)
      .length
  const used = (from: number, to: number): number =>
    between(use.good, from, to) / ((quota.calls - foreignCalls) * (to - from))
  return {
    refused: between(use.refused, 0, windows),
    foreignRefused: between(use.foreignRefused, 0, windows),
    /** Of what others leave, from the first call on. */
    cold: used(0, windows),
    /** The same without the first two windows. */
    steady: used(COLD_WINDOWS, windows),
  }
}
