import { SourceDataError } from '../api/errors.ts'
import type { Answer, Row, TableSpec } from './dataset.ts'
import { bodyAround, inEnvelope, keepBeside } from './record/envelope.ts'
import {
  GLOBAL_CURRENCY_MAPS,
  GLOBAL_FIELDS,
  GLOBAL_MARKET,
  GLOBAL_MARKET_BY_CURRENCY,
  GLOBAL_MARKET_DOMINANCE,
  SYMBOL_MAPS,
} from './markets/global-market-tables.ts'
import { jsonText } from './record/json-text.ts'
import { listingPage, listingTable, readLone } from './record/listing.ts'
import { type MapOrList, readKeyedRows, writeKeyedParts } from './record/keyed-rows.ts'
import type { RecordField } from './record/record-field.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

const answer: Answer = {
  select: (_, nowMs) => [
    newestRows(GLOBAL_MARKET, nowMs),
    newestRows(GLOBAL_MARKET_BY_CURRENCY, nowMs, { orderBy: [{ column: 'vs_currency' }] }),
    newestRows(GLOBAL_MARKET_DOMINANCE, nowMs, {
      orderBy: [{ column: 'market_cap_percentage', descending: true }, { column: 'symbol' }],
    }),
  ],
  toBody: ([markets = [], byCurrency = [], dominance = []]) => {
    const [market] = markets
    if (market === undefined) return null
    const maps = [
      ...mapsOf(GLOBAL_CURRENCY_MAPS, market, byCurrency, 'vs_currency'),
      ...mapsOf(SYMBOL_MAPS, market, dominance, 'symbol'),
    ]
    return inEnvelope(
      writeRecord(GLOBAL_FIELDS, { ...market, ...Object.fromEntries(maps) }),
      'data',
    )
  },
}

function mapsOf(
  fields: readonly RecordField[],
  market: Row,
  rows: readonly Row[],
  codeColumn: string,
): [string, string][] {
  const maps = writeKeyedParts(fields, ofObservation(rows, market), codeColumn)
  return fields.map(({ path: [name] }) => [name, jsonText(maps.get(name) ?? {})])
}

export const globalMarket = snapshotDataset({
  name: 'global_market',
  description: 'Figures of the whole market, once per `every`.',
  operation: 'global',
  tables: [GLOBAL_MARKET, GLOBAL_MARKET_BY_CURRENCY, GLOBAL_MARKET_DOMINANCE],
  toTables: (body, context) => {
    const envelope = bodyAround(body, 'data')
    const { data } = envelope
    if (!GLOBAL_FIELDS.some(({ path: [key] }) => Object.hasOwn(data, key))) {
      throw new SourceDataError('$.data has none of the keys of a whole market')
    }
    const listing = readLone(GLOBAL_FIELDS, data, '$.data', envelope)
    keepBeside(listing, listing.rows[0], envelope, 'data', '$')
    // The maps of a bad market go to quarantine with it.
    const parts: ReadonlyMap<string, MapOrList> = listing.rows[0]?.children ?? new Map()
    const childTable = (spec: TableSpec, codeColumn: string, fields: readonly RecordField[]) => {
      const names = fields.map(({ path: [name] }) => name)
      const own = new Map([...parts].filter(([name]) => names.includes(name)))
      const rows = readKeyedRows(fields, own, '$.data', listing)
      const codes = rows.map(({ key }) => key)
      return listingTable(spec, fields, rows, context, { [codeColumn]: codes })
    }
    return listingPage(listing, [
      listingTable(GLOBAL_MARKET, GLOBAL_FIELDS, listing.rows, context),
      childTable(GLOBAL_MARKET_BY_CURRENCY, 'vs_currency', GLOBAL_CURRENCY_MAPS),
      childTable(GLOBAL_MARKET_DOMINANCE, 'symbol', SYMBOL_MAPS),
    ])
  },
  answer,
  parts: [
    { at: '$.data', fields: GLOBAL_FIELDS },
    { at: '$.data', fields: [...GLOBAL_CURRENCY_MAPS, ...SYMBOL_MAPS], each: 'map' },
  ],
})
