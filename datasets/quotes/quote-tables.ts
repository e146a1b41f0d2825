import { isRecord } from '../../config/values/is-record.ts'
import { SourceDataError } from '../../api/errors.ts'
import { unansweredIds } from '../request/unanswered-ids.ts'
import type { ColumnsByName } from '../arrow/column-data.ts'
import type { PageContext, PageTables, RejectedRow, TableSpec } from '../dataset.ts'
import { countPath, reject } from '../record/rejected-rows.ts'
import { listingPage, listingTable, type ListingRow } from '../record/listing.ts'
import { QUOTE_FIELDS, quoteKey } from './quote-fields.ts'
import { readRecord } from '../record/read-record.ts'

export interface QuotedEntries {
  /** The column of an entry's key. */
  column: string
  asked: readonly string[]
  /** The id of a key of the body. The source may write one address in several ways. */
  idOf: (key: string) => string
  /** One text for all forms in which the source may write an id. Default: the id itself. */
  comparedAs?: (id: string) => string
  /** Other key columns, the same for the whole page. */
  constants: ColumnsByName
}

interface Quote extends ListingRow {
  entry: string
  currency: string
}

/**
 * A body `{ <key>: { usd, usd_market_cap, eur, ..., last_updated_at } }` as one row per requested id and currency. A
 * missing id is rejected; a missing currency has a row without a price. The last of several keys of one id counts, the
 * others are duplicates.
 *
 * @throws SourceDataError: the body is no object
 */
export function quoteTables(
  spec: TableSpec,
  body: unknown,
  context: PageContext,
  entries: QuotedEntries,
): PageTables {
  if (!isRecord(body)) throw new SourceDataError('$ is no object')
  const currencies = context.slice.vsCurrency.split(',')
  const rejected: RejectedRow[] = []
  const unknownPaths: Record<string, number> = {}
  const keys = Object.keys(body)
  const keysById = new Map(keys.map((key) => [entries.idOf(key), key]))
  const quotes = Array.from(keysById).flatMap(([id, key]) => {
    const source = body[key]
    const path = `$.${key.toWellFormed()}`
    if (!key.isWellFormed()) {
      reject(rejected, 'not_a_text', path, { [key]: source })
      return []
    }
    if (!isRecord(source)) {
      reject(rejected, 'not_an_object', path, source)
      return []
    }
    const read = readEntry({ id, path }, source, currencies, rejected)
    for (const key of read.unknown) countPath(unknownPaths, `$.*.${key}`)
    return read.quotes
  })
  const { asked, comparedAs } = entries
  rejected.push(...unansweredIds(asked, [...keysById.keys()], (id) => `$.${id}`, comparedAs))
  const table = listingTable(spec, QUOTE_FIELDS, quotes, context, {
    ...entries.constants,
    [entries.column]: quotes.map(({ entry }) => entry),
    vs_currency: quotes.map(({ currency }) => currency),
  })
  const duplicates = keys.length - keysById.size
  return listingPage({ rejected, unknownPaths, itemCount: keys.length, duplicates }, [table])
}

/** The quotes of one entry. `_extra` of the first one keeps keys of no requested currency. */
function readEntry(
  { id, path }: { id: string; path: string },
  source: Readonly<Record<string, unknown>>,
  currencies: readonly string[],
  rejected: RejectedRow[],
): { quotes: Quote[]; unknown: string[] } {
  const readKeys = new Set<string>()
  const quotes: Quote[] = []
  for (const currency of currencies) {
    const quote: [string, unknown][] = []
    for (const { path } of QUOTE_FIELDS) {
      const key = quoteKey(currency, path[0])
      readKeys.add(key)
      if (Object.hasOwn(source, key)) quote.push([path[0], source[key]])
    }
    const record = readRecord(QUOTE_FIELDS, Object.fromEntries(quote), '')
    if ('rule' in record) {
      const key = quoteKey(currency, record.path.slice(1))
      reject(rejected, record.rule, `${path}.${key}`, source)
      continue
    }
    // `_extra` of a quote has the names of the answer.
    const extra = [...record.extra].map(([key, value]) => [quoteKey(currency, key), value] as const)
    quotes.push({ ...record, entry: id, currency, extra: new Map(extra), index: 0 })
  }
  const unknown = Object.keys(source).filter((key) => !readKeys.has(key))
  for (const key of unknown) quotes[0]?.extra.set(key, source[key])
  return { quotes, unknown }
}
