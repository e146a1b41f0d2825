import { faultKind } from '../fault-kind.ts'
import { shareOption } from '../fault-options.ts'
import { changeLists, chosenPlaces } from '../json-lists.ts'

/** Equal points or rows, one after the other. */
export const duplicates = faultKind({
  name: 'duplicates',
  place: 'body',
  about: 'some points or rows come twice',
  shape: { share: shareOption() },
  spoil({ bytes, draw }, { share }) {
    const changed = changeLists(bytes, (list) => {
      const chosen = chosenPlaces(list.length, share, draw)
      return list.flatMap((one, place) => (chosen.has(place) ? [one, one] : [one]))
    })
    return changed === null ? null : { bytes: changed }
  },
})
