import { faultKind } from '../fault-kind.ts'
import { shareOption } from '../fault-options.ts'
import { changeLists, chosenPlaces, isSeries } from '../json-lists.ts'

/** Series that step back in time; the arrays of a chart in the same places. */
export const unorderedPoints = faultKind({
  name: 'unordered_points',
  place: 'body',
  about: 'some points of a series have changed places with the next one',
  shape: { share: shareOption() },
  spoil({ bytes, draw }, { share }) {
    const changed = changeLists(bytes, (list) => {
      if (!isSeries(list) || list.length < 2) return list
      const points = [...list]
      for (const place of chosenPlaces(points.length - 1, share, draw)) {
        ;[points[place], points[place + 1]] = [points[place + 1]!, points[place]!]
      }
      return points
    })
    return changed === null ? null : { bytes: changed }
  },
})
