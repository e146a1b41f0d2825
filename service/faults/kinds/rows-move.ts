import { faultKind } from '../fault-kind.ts'
import { changeLists, jsonOf } from '../json-lists.ts'
import { pageBefore } from '../page-before.ts'

/** A listing that has grown at its head between two pages: every row has gone down by one. */
export const rowsMove = faultKind({
  name: 'rows_move',
  place: 'body',
  about:
    'a page from the second on begins with the last row of the page before it; its own last row is not in it',
  async spoil(meeting) {
    const before = await pageBefore(meeting)
    if (before === null) return null
    const json = jsonOf(before)
    const bytes = changeLists(meeting.bytes, (list, name) => {
      const rows = Array.isArray(json) ? json : (json as Record<string, unknown>)[name]
      return Array.isArray(rows) ? [...rows.slice(-1), ...list.slice(0, -1)] : list
    })
    return bytes === null ? null : { bytes }
  },
})
