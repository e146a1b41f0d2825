import { faultKind } from '../fault-kind.ts'
import { shareOption } from '../fault-options.ts'
import { changeLists, chosenPlaces, isSeries } from '../json-lists.ts'

/** Charts whose arrays do not hold the same times. */
export const unequalArrays = faultKind({
  name: 'unequal_arrays',
  place: 'body',
  about: 'some points are missing in `market_caps` of a chart',
  shape: { share: shareOption() },
  spoil({ bytes, draw }, { share }) {
    const changed = changeLists(bytes, (list, name) => {
      if (name !== 'market_caps' || !isSeries(list)) return list
      const chosen = chosenPlaces(list.length, share, draw)
      return list.filter((_, place) => !chosen.has(place))
    })
    return changed === null ? null : { bytes: changed }
  },
})
