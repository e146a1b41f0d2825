import { SourceDataError } from '../../api/errors.ts'
import type { Scalar } from '../arrow/column-data.ts'
import { setBeside } from '../record/envelope.ts'
import { TICKER_FIELDS } from './exchange-ticker-fields.ts'
import { itemsOf, type Listing, readListing } from '../record/listing.ts'
import { readMembers, withoutKeys } from '../record/read-members.ts'
import { isObject } from '../record/read-record.ts'
import { text } from '../record/record-field.ts'
import type { BodyPart } from '../record/body-part.ts'

const ENVELOPE = [text('name', 'Name of the coin or exchange that has these tickers.')]

export const TICKER_PAGE: readonly BodyPart[] = [
  { at: '$', fields: ENVELOPE },
  { at: '$.tickers[*]', fields: TICKER_FIELDS },
]

/** A page of tickers, and the name of its coin or exchange; null: none was sent. */
export interface TickerListing {
  listing: Listing
  name: Scalar
}

/**
 * Reads `{ name, tickers: [...] }`. `_extra` of the first row keeps unknown keys, and a name that its column cannot
 * give back. A name of another type goes to quarantine alone.
 *
 * @throws SourceDataError: there is no list of tickers
 */
export function readTickerListing(body: unknown): TickerListing {
  if (!isObject(body) || !Array.isArray(body['tickers'])) {
    throw new SourceDataError('$.tickers is no array')
  }
  const listing = readListing(TICKER_FIELDS, itemsOf(body['tickers']), '$.tickers', [])
  const around = withoutKeys(body, ['tickers'])
  const envelope = readMembers(ENVELOPE, around, '$', listing.rejected)
  if ('rule' in envelope) throw new Error(`${envelope.rule}: a name may be missing`)
  for (const key of envelope.unknown) listing.unknownPaths[`$.${key}`] = 1
  // A NULL name means that none was sent, so `_extra` keeps a null that was sent.
  if (around['name'] === null) envelope.extra.set('name', null)
  setBeside(listing.rows[0], Object.fromEntries(envelope.extra))
  return { listing, name: envelope.values['name'] ?? null }
}
