import { readFileSync } from 'node:fs'
import type { Dataset } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { HISTORY_DATE, type RecordedBody } from './recorded-body.ts'

/** A recording with the names it is asked for by in its run. */
export interface PlacedBody extends RecordedBody {
  /** Id, token or text that it is asked for by; a csv where the body has several; '' where nothing is named. */
  entity: string
  /** A csv where one request asks for several. */
  vsCurrency: string
  /** The day that it is asked for; '' where none is. */
  date: string
}

/** A currency for each listing of markets in a run. */
export const VS_CURRENCIES = [
  'usd',
  'eur',
  'eth',
  'myr',
  'btc',
  'gbp',
  'jpy',
  'xau',
  'sats',
  'bits',
]

/** Endings behind the currency in the keys of a price. */
const PRICE_SUFFIX = /_(market_cap|24h_vol|24h_change)$/

export function datasetOf({ operation }: Pick<RecordedBody, 'operation'>): Dataset {
  return datasets.find(({ answers }) => answers[operation] !== undefined)!
}

/** Every dataset that asks for an operation. */
export function datasetsOf({ operation }: Pick<RecordedBody, 'operation'>): Dataset[] {
  return datasets.filter(({ operations }) => operations.includes(operation))
}

/** Names for the recording at a place of its run; no two places have the same. */
export function placedBody(body: RecordedBody, place: number): PlacedBody {
  const date = body.operation === 'coins/{id}/history' ? HISTORY_DATE : ''
  return { ...body, date, ...namesOf(body, place) }
}

function namesOf(body: RecordedBody, place: number): { entity: string; vsCurrency: string } {
  const { operation } = body
  if (operation === 'coins/markets') return { entity: '', vsCurrency: VS_CURRENCIES[place]! }
  const vsCurrency = 'usd'
  if (operation === 'simple/price') return pricesOf(body, '')
  if (operation === 'simple/token_price/{id}') return pricesOf(body, `platform-${place}-[é]/`)
  const { entity } = datasetOf(body)
  if (entity === 'token') return { entity: tokenAt(place), vsCurrency }
  if (entity === 'query') return { entity: `Was? ${place} [é] & "q" #1%`, vsCurrency }
  // Ids are no slugs.
  return { entity: entity === null ? '' : `Sample ${place} [é]`, vsCurrency }
}

/** An EVM address with the capitals of its checksum, and one with a slash in it. */
function tokenAt(place: number): string {
  if (place % 2 === 1) return `chain-${place}-[é]/ibc/27394FB&Ü`
  return `ethereum/0xAbCdEf${String(place).padStart(34, '0')}`
}

/** All that stands in a body of prices. */
function pricesOf({ path }: RecordedBody, prefix: string): { entity: string; vsCurrency: string } {
  const body = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>
  const keys = Object.values(body).flatMap((entry) => Object.keys(entry))
  const codes = keys.map((key) => key.replace(PRICE_SUFFIX, ''))
  const currencies = new Set(codes.filter((code) => keys.includes(code) && isCode(code)))
  return {
    entity: Object.keys(body)
      .map((id) => `${prefix}${id}`)
      .join(),
    // A currency that the source knows nothing of leaves nothing in the body.
    vsCurrency: currencies.size === 0 ? 'usd' : [...currencies].join(),
  }
}

function isCode(key: string): boolean {
  return /^[a-z]{2,5}$/.test(key)
}
