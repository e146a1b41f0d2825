import { faultKind } from '../fault-kind.ts'
import { shareOption } from '../fault-options.ts'
import { changeLists, chosenPlaces, isSeries } from '../json-lists.ts'

/** By how much values are revised. */
const FACTOR = 1.01

/** With `after: 1` the first answer is the old history and all later ones the new. */
export const revisedHistory = faultKind({
  name: 'revised_history',
  place: 'body',
  about: 'values of some points before the last are higher by a hundredth',
  shape: { share: shareOption() },
  spoil({ bytes, draw }, { share }) {
    const changed = changeLists(bytes, (list) => {
      if (!isSeries(list)) return list
      const chosen = chosenPlaces(list.length - 1, share, draw)
      return list.map((point, place) => (chosen.has(place) ? revised(point) : point))
    })
    return changed === null ? null : { bytes: changed }
  },
})

function revised([ms, ...values]: readonly [number, ...unknown[]]): unknown[] {
  return [ms, ...values.map((value) => (typeof value === 'number' ? value * FACTOR : value))]
}
