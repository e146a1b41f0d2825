import type { Answer } from './dataset.ts'
import { searchTables } from './search/search-body.ts'
import { catalogueBody, catalogueSelections } from './search/search-catalogues.ts'
import { SEARCH_LISTS } from './search/search-fields.ts'
import { SEARCH_BODY_FIELDS, SEARCH_RESULTS, SEARCHES } from './search/search-tables.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

/** Answers with the recorded search. Without one, it searches the names of all listings. */
const answer: Answer = {
  select: (params, nowMs) => {
    const equals = { query: params['query'] ?? '' }
    return [
      newestRows(SEARCHES, nowMs, { equals }),
      newestRows(SEARCH_RESULTS, nowMs, { equals }),
      ...catalogueSelections(params['query'] ?? '', nowMs),
    ]
  },
  toBody: ([searches = [], results = [], ...catalogues]) => {
    const [search] = searches
    if (search === undefined) return catalogueBody(catalogues)
    const body = writeRecord(SEARCH_BODY_FIELDS, search)
    const found = ofObservation(results, search)
    for (const { key, kind, fields } of SEARCH_LISTS) {
      if (!Object.hasOwn(body, key)) continue
      const ofKind = found.filter((row) => row['kind'] === kind)
      body[key] = ofKind.map((row) => writeRecord(fields, row))
    }
    return body
  },
}

export const searchResults = snapshotDataset({
  name: 'search_results',
  description: 'The results of searches for chosen texts, once per `every`.',
  operation: 'search',
  params: ({ entity: query }) => ({ query }),
  tables: [SEARCHES, SEARCH_RESULTS],
  entity: 'query',
  toTables: searchTables,
  answer,
  parts: SEARCH_LISTS.map(({ key, fields }) => ({ at: `$.${key}[*]`, fields })),
})
