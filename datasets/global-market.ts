import { singleStep } from './request/single-step.ts'
import { SourceDataError } from '../api/errors.ts'
import type { Answer, Dataset, Row, TableSpec } from './dataset.ts'
import { inEnvelope, keepBeside } from './record/envelope.ts'
import {
  CURRENCY_MAPS,
  GLOBAL_FIELDS,
  GLOBAL_MARKET,
  GLOBAL_MARKET_BY_CURRENCY,
  GLOBAL_MARKET_DOMINANCE,
  SYMBOL_MAPS,
} from './markets/global-market-tables.ts'
import { jsonText } from './record/json-text.ts'
import { listingPage, listingTable, observedIn, readListing } from './record/listing.ts'
import { readKeyedRows, writeKeyedParts } from './record/keyed-rows.ts'
import { isObject } from './record/read-record.ts'
import type { Part } from './record/read-sections.ts'
import type { RecordField } from './record/record-field.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'
import { writeRecord } from './record/write-record.ts'

const answer: Answer = {
  select: (_, nowMs) => {
    const newest = { column: 'observed_at', nowMs }
    return [
      { table: GLOBAL_MARKET.name, newest, orderBy: [] },
      { table: GLOBAL_MARKET_BY_CURRENCY.name, newest, orderBy: [{ column: 'vs_currency' }] },
      {
        table: GLOBAL_MARKET_DOMINANCE.name,
        newest,
        orderBy: [{ column: 'market_cap_percentage', descending: true }, { column: 'symbol' }],
      },
    ]
  },
  toBody: ([markets = [], byCurrency = [], dominance = []]) => {
    const [market] = markets
    if (market === undefined) return null
    const maps = [
      ...mapsOf(CURRENCY_MAPS, market, byCurrency, 'vs_currency'),
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
  const ofMarket = rows.filter((row) => row['observed_at'] === market['observed_at'])
  const maps = writeKeyedParts(fields, ofMarket, codeColumn)
  return fields.map(({ path: [name] }) => [name, jsonText(maps.get(name) ?? {})])
}

export const globalMarket: Dataset = {
  name: 'global_market',
  description: 'Figures of the whole market, once per `every`.',
  kind: 'snapshot',
  operations: ['global'],
  tables: [GLOBAL_MARKET, GLOBAL_MARKET_BY_CURRENCY, GLOBAL_MARKET_DOMINANCE],
  entity: null,
  ...WITHOUT_SERIES,
  steps: () => [singleStep('global')],
  toTables: (body, context) => {
    if (!isObject(body) || !isObject(body['data'])) throw new SourceDataError('$.data is no object')
    const { data } = body
    if (!GLOBAL_FIELDS.some(({ path: [key] }) => Object.hasOwn(data, key))) {
      throw new SourceDataError('$.data has none of the keys of a whole market')
    }
    const listing = readListing(GLOBAL_FIELDS, [{ at: '', source: data }], '$.data', [])
    const beside = keepBeside(listing.rows[0], body, 'data', '$')
    // The maps of a bad market go to quarantine with it.
    const parts: ReadonlyMap<string, Part> = listing.rows[0]?.children ?? new Map()
    const at = observedIn(context)
    const childTable = (spec: TableSpec, codeColumn: string, fields: readonly RecordField[]) => {
      const names = fields.map(({ path: [name] }) => name)
      const own = new Map([...parts].filter(([name]) => names.includes(name)))
      const rows = readKeyedRows(fields, own, '$.data', listing)
      const codes = { [codeColumn]: rows.map(({ key }) => key) }
      return listingTable(spec, fields, rows, { ...codes, ...at })
    }
    const tables = [
      listingTable(GLOBAL_MARKET, GLOBAL_FIELDS, listing.rows, at),
      childTable(GLOBAL_MARKET_BY_CURRENCY, 'vs_currency', CURRENCY_MAPS),
      childTable(GLOBAL_MARKET_DOMINANCE, 'symbol', SYMBOL_MAPS),
    ]
    const unknownPaths = { ...listing.unknownPaths, ...beside }
    return { ...listingPage(listing, tables), unknownPaths }
  },
  answers: { global: answer },
  bodies: {
    global: [
      { at: '$.data', fields: GLOBAL_FIELDS },
      { at: '$.data', fields: [...CURRENCY_MAPS, ...SYMBOL_MAPS], each: 'map' },
    ],
  },
}
