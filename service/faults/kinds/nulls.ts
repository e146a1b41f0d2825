import { faultKind } from '../fault-kind.ts'
import { choiceOption, shareOption } from '../fault-options.ts'
import { changeLists, chosenPlaces } from '../json-lists.ts'

/** Holes in what is listed: values that may be missing, or keys that may not. */
export const nulls = faultKind({
  name: 'nulls',
  place: 'body',
  about: 'null in some points or rows',
  shape: {
    share: shareOption(),
    where: choiceOption('the values of a point and the numbers of a row, or its time or id', [
      'value',
      'key',
    ]),
  },
  spoil({ bytes, draw }, { share, where }) {
    const changed = changeLists(bytes, (list) => {
      const chosen = chosenPlaces(list.length, share, draw)
      return list.map((one, place) => (chosen.has(place) ? withNull(one, where === 'key') : one))
    })
    return changed === null ? null : { bytes: changed }
  },
})

function withNull(one: unknown, isKey: boolean): unknown {
  if (Array.isArray(one)) {
    return one.map((value: unknown, place) => ((place === 0) === isKey ? null : value))
  }
  if (typeof one !== 'object' || one === null) return isKey ? null : one
  const isMet = (name: string, value: unknown): boolean =>
    isKey ? name === 'id' : typeof value === 'number'
  return Object.fromEntries(
    Object.entries(one).map(([name, value]: [string, unknown]) => [
      name,
      isMet(name, value) ? null : value,
    ]),
  )
}
