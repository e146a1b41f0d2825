/** In a file of their own, so that `--help` loads no faults. */
export const FAULT_PRESET_NAMES = ['mild', 'flaky-network', 'limits', 'harsh'] as const

export type FaultPresetName = (typeof FAULT_PRESET_NAMES)[number]
