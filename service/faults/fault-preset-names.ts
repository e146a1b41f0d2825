/** Sets of faults that have a name of their own. Names alone, so that `--help` stays quick. */
export const FAULT_PRESET_NAMES = ['mild', 'flaky-network', 'limits', 'harsh'] as const

export type FaultPresetName = (typeof FAULT_PRESET_NAMES)[number]
