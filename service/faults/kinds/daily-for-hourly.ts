import { DAY_MS } from '../../../api/granularity.ts'
import { faultKind } from '../fault-kind.ts'
import { changeLists, isSeries } from '../json-lists.ts'

/** A coarser series than the one that was asked for: the first point of every UTC day. */
export const dailyForHourly = faultKind({
  name: 'daily_for_hourly',
  place: 'body',
  about: 'a series with several points a day has only the first of each',
  spoil({ bytes }) {
    const changed = changeLists(bytes, (list) => {
      if (!isSeries(list)) return list
      let lastDay = -1
      return list.filter(([ms]) => {
        const day = Math.floor(ms / DAY_MS)
        const isFirst = day !== lastDay
        lastDay = day
        return isFirst
      })
    })
    return changed === null ? null : { bytes: changed }
  },
})
