import { DAY_MS } from '../../../api/granularity.ts'
import { faultKind } from '../fault-kind.ts'
import { numberOption } from '../fault-options.ts'
import { changeLists, isSeries } from '../json-lists.ts'

/** A service that is behind: its newest points are not there yet. */
export const latePoints = faultKind({
  name: 'late_points',
  place: 'body',
  about: 'a series has no points of the last `late_ms` before now',
  shape: {
    late_ms: numberOption('how far the series is behind', {
      min: 1,
      max: 366 * DAY_MS,
      fallback: 3_600_000,
    }),
  },
  spoil({ bytes, nowMs }, options) {
    const changed = changeLists(bytes, (list) =>
      isSeries(list) ? list.filter(([ms]) => ms <= nowMs - options.late_ms) : list,
    )
    return changed === null ? null : { bytes: changed }
  },
})
