/** Every kind of fault, in the order of docs/faults.md. Names alone, so that `--help` stays quick. */
export const FAULT_NAMES = [
  'rate_status',
  'rate_body',
  'server_error',
  'slow_first_byte',
  'stalled_body',
  'reset',
  'reset_in_body',
  'truncated_json',
  'html',
  'wrong_content_type',
  'clamped_pages',
  'repeated_pages',
  'rows_move',
  'duplicates',
  'nulls',
  'unequal_arrays',
  'unordered_points',
  'daily_for_hourly',
  'revised_history',
  'late_points',
  'vanished_id',
  'key_revoked',
  'plan_reach',
  'clock_skew',
  'limit_change',
] as const

export type FaultName = (typeof FAULT_NAMES)[number]

/** Sets of faults that have a name of their own. */
export const FAULT_PRESET_NAMES = ['mild', 'flaky-network', 'limits', 'harsh'] as const

export type FaultPresetName = (typeof FAULT_PRESET_NAMES)[number]
