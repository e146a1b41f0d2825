import { keyUse } from '../../config/settings/order-settings.ts'
import { didYouMean } from '../../config/values/did-you-mean.ts'
import { datasetByName } from '../../datasets/index.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import type { WantedDataset } from '../../plan/order.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import { count, counted } from '../render/quantities.ts'

type Rows = OpenLedger['rows']

const MOST_WARNINGS = 20

/** A list of names in the warehouse, and the column of `_slices` with such names. */
const COINS = { table: 'coins', column: 'coin_id', ofSlice: 'entity', one: 'coin', many: 'coins' }
const CURRENCIES = {
  table: 'vs_currencies',
  column: 'currency',
  ofSlice: 'vs_currency',
  one: 'currency',
  many: 'currencies',
}

/**
 * A warning for each coin id and each currency that was probably mistyped, with the one that was probably meant. Such a
 * name is not in the warehouse's list, and nothing was loaded for it. The list may be old, so no name is refused.
 */
export async function doubtfulNameWarnings(
  rows: Rows,
  wanted: readonly WantedDataset[],
): Promise<string[]> {
  const found = await rows('SELECT table_name FROM information_schema.tables')
  const tables = new Set(found.map((row) => String(row['table_name'])))
  const currencies = wanted.flatMap(({ vsCurrencies }) => vsCurrencies)
  return [
    ...(await warningsFor(rows, tables, COINS, wanted.flatMap(coinIdsOf))),
    ...(await warningsFor(rows, tables, CURRENCIES, currencies)),
  ]
}

async function warningsFor(
  rows: Rows,
  tables: ReadonlySet<string>,
  list: typeof COINS,
  names: readonly string[],
): Promise<string[]> {
  const { table, column, ofSlice, one, many } = list
  const asked = [...new Set(names)].filter((name) => name !== '').map(quoteText)
  if (asked.length === 0 || !tables.has(table) || !tables.has('_slices')) return []
  const doubted = await rows(
    `SELECT name FROM (SELECT unnest([${asked.join(', ')}]) AS name) WHERE EXISTS (FROM ${table})
       AND name NOT IN (SELECT ${column} FROM ${table}) AND name NOT IN (
         SELECT ${ofSlice} FROM _slices WHERE state IN ('loaded', 'provisional'))
     ORDER BY name LIMIT ${MOST_WARNINGS}`,
  )
  if (doubted.length === 0) return []
  const listed = await rows(
    `SELECT DISTINCT ${column} AS name, strftime(max(last_seen_at) OVER (), '%Y-%m-%d') AS day FROM ${table}`,
  )
  const known = listed.map((row) => String(row['name']))
  const of = `the list of ${String(listed[0]?.['day'])} (${counted(known.length, one, many)})`
  const warnings: string[] = []
  for (const row of doubted) {
    const name = String(row['name'])
    const coin = list === COINS ? await coinNamedLike(rows, name, tables) : null
    const meant = coin ?? { name: didYouMean(name, known), why: '' }
    const hint = meant.name === null ? '' : `: did you mean \`${meant.name}\`${meant.why}?`
    warnings.push(`there is no ${one} ${JSON.stringify(name)} in ${of}${hint}`)
  }
  return warnings
}

function coinIdsOf({ dataset, entities }: WantedDataset): readonly string[] {
  const shape = datasetByName(dataset)
  const isOfCoins = shape !== undefined && keyUse(shape, 'coins') !== 'refused'
  return isOfCoins && 'length' in entities ? entities : []
}

/** The id in another case, else the largest coin with this text as its symbol or name. */
async function coinNamedLike(
  rows: Rows,
  text: string,
  tables: ReadonlySet<string>,
): Promise<{ name: string; why: string } | null> {
  const places = tables.has('coin_markets')
    ? `(SELECT coin_id, arg_max(market_cap_rank, observed_at) AS place FROM coin_markets GROUP BY ALL)`
    : `(SELECT '' AS coin_id, 0 AS place)`
  const lower = `lower(${quoteText(text)})`
  const [found] = await rows(
    `SELECT coin_id, count(*) OVER (PARTITION BY way) AS coins,
       CASE way WHEN 1 THEN '' WHEN 2 THEN 'symbol' ELSE 'name' END AS why
     FROM (SELECT coin_id, min(CASE WHEN lower(coin_id) = ${lower} THEN 1
         WHEN lower(symbol) = ${lower} THEN 2 ELSE 3 END) AS way FROM coins
       WHERE lower(coin_id) = ${lower} OR lower(symbol) = ${lower} OR lower(name) = ${lower} GROUP BY ALL)
     LEFT JOIN ${places} USING (coin_id)
     ORDER BY way, place NULLS LAST, length(coin_id), coin_id LIMIT 1`,
  )
  if (found === undefined) return null
  const others = Number(found['coins']) - 1
  const more = others === 0 ? '' : `, as have ${count(others)} more`
  const why = found['why'] === '' ? '' : ` (it has this ${String(found['why'])}${more})`
  return { name: String(found['coin_id']), why }
}
