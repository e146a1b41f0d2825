import type { FaultKind } from './fault-kind.ts'
import type { FaultName } from './fault-names.ts'
import { clampedPages } from './kinds/clamped-pages.ts'
import { clockSkew } from './kinds/clock-skew.ts'
import { dailyForHourly } from './kinds/daily-for-hourly.ts'
import { duplicates } from './kinds/duplicates.ts'
import { html } from './kinds/html.ts'
import { keyRevoked } from './kinds/key-revoked.ts'
import { latePoints } from './kinds/late-points.ts'
import { limitChange } from './kinds/limit-change.ts'
import { nulls } from './kinds/nulls.ts'
import { planReach } from './kinds/plan-reach.ts'
import { rateBody } from './kinds/rate-body.ts'
import { rateStatus } from './kinds/rate-status.ts'
import { repeatedPages } from './kinds/repeated-pages.ts'
import { reset } from './kinds/reset.ts'
import { resetInBody } from './kinds/reset-in-body.ts'
import { revisedHistory } from './kinds/revised-history.ts'
import { rowsMove } from './kinds/rows-move.ts'
import { serverError } from './kinds/server-error.ts'
import { slowFirstByte } from './kinds/slow-first-byte.ts'
import { stalledBody } from './kinds/stalled-body.ts'
import { truncatedJson } from './kinds/truncated-json.ts'
import { unequalArrays } from './kinds/unequal-arrays.ts'
import { unorderedPoints } from './kinds/unordered-points.ts'
import { vanishedId } from './kinds/vanished-id.ts'
import { wrongContentType } from './kinds/wrong-content-type.ts'

/** Every kind by its name. */
export const FAULT_KINDS: Readonly<Record<FaultName, FaultKind>> = {
  rate_status: rateStatus,
  rate_body: rateBody,
  server_error: serverError,
  slow_first_byte: slowFirstByte,
  stalled_body: stalledBody,
  reset,
  reset_in_body: resetInBody,
  truncated_json: truncatedJson,
  html,
  wrong_content_type: wrongContentType,
  clamped_pages: clampedPages,
  repeated_pages: repeatedPages,
  rows_move: rowsMove,
  duplicates,
  nulls,
  unequal_arrays: unequalArrays,
  unordered_points: unorderedPoints,
  daily_for_hourly: dailyForHourly,
  revised_history: revisedHistory,
  late_points: latePoints,
  vanished_id: vanishedId,
  key_revoked: keyRevoked,
  plan_reach: planReach,
  clock_skew: clockSkew,
  limit_change: limitChange,
}
