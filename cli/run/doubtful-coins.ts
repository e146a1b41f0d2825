import { didYouMean } from '../../config/values/did-you-mean.ts'
import { keyUse } from '../../config/settings/order-settings.ts'
import { quoteText } from '../../datasets/table/ddl.ts'
import { datasetByName } from '../../datasets/index.ts'
import type { WantedDataset } from '../../plan/order.ts'
import type { OpenLedger } from '../ledger/open-ledger.ts'
import { count, counted } from '../render/quantities.ts'

type Rows = OpenLedger['rows']
type WantedEntities = Pick<WantedDataset, 'dataset' | 'entities'>

/** The most coin ids that get a warning. */
const NAMED = 20

/**
 * A warning for each coin id that was probably mistyped, with the id that was probably meant. Such an id is neither in
 * the warehouse's own listing (dataset `coins`) nor was anything loaded for it. The listing may be old, so no id is
 * refused. Without a listing there are no warnings.
 */
export async function doubtfulCoinWarnings(
  rows: Rows,
  wanted: readonly WantedEntities[],
): Promise<string[]> {
  const ids = new Set(wanted.flatMap(coinIdsOf))
  if (ids.size === 0) return []
  const tables = await rows('SELECT table_name FROM information_schema.tables')
  const names = tables.map((row) => String(row['table_name']))
  if (!names.includes('coins') || !names.includes('_slices')) return []
  const asked = `SELECT unnest([${[...ids].map(quoteText).join(', ')}]) AS coin_id`
  const doubted = await rows(
    `SELECT coin_id FROM (${asked}) WHERE EXISTS (FROM coins)
       AND coin_id NOT IN (SELECT coin_id FROM coins) AND coin_id NOT IN (
         SELECT entity FROM _slices WHERE state IN ('loaded', 'provisional'))
     ORDER BY coin_id LIMIT ${NAMED}`,
  )
  if (doubted.length === 0) return []
  const [listing] = await rows(
    `SELECT count(DISTINCT coin_id) AS coins, strftime(max(last_seen_at), '%Y-%m-%d') AS day FROM coins`,
  )
  const of = `the listing of ${String(listing?.['day'])} (${counted(Number(listing?.['coins']), 'coin')})`
  const warnings: string[] = []
  for (const row of doubted) {
    const id = String(row['coin_id'])
    const meant =
      (await coinNamedLike(rows, id, names.includes('coin_markets'))) ??
      (await coinSpelledLike(rows, id))
    const hint = meant === null ? '' : `: did you mean \`${meant.id}\`${meant.why}?`
    warnings.push(`there is no coin ${JSON.stringify(id)} in ${of}${hint}`)
  }
  return warnings
}

function coinIdsOf({ dataset, entities }: WantedEntities): readonly string[] {
  const shape = datasetByName(dataset)
  const isOfCoins = shape !== undefined && keyUse(shape, 'coins') !== 'refused'
  return isOfCoins && 'length' in entities ? entities.filter((id) => id !== '') : []
}

interface Meant {
  id: string
  why: string
}

/** The id in another case, else the largest coin with this text as its symbol or name. */
async function coinNamedLike(rows: Rows, text: string, hasMarkets: boolean): Promise<Meant | null> {
  const places = hasMarkets
    ? `(SELECT coin_id, arg_max(market_cap_rank, observed_at) AS place FROM coin_markets GROUP BY ALL)`
    : `(SELECT '' AS coin_id, 0 AS place)`
  const lower = `lower(${quoteText(text)})`
  const [found] = await rows(
    `SELECT coin_id, count(*) OVER (PARTITION BY way) AS coins,
       CASE way WHEN 1 THEN '' WHEN 2 THEN 'the symbol' ELSE 'the name' END AS why
     FROM (SELECT coin_id, min(CASE WHEN lower(coin_id) = ${lower} THEN 1
         WHEN lower(symbol) = ${lower} THEN 2 ELSE 3 END) AS way FROM coins
       WHERE lower(coin_id) = ${lower} OR lower(symbol) = ${lower} OR lower(name) = ${lower} GROUP BY ALL)
     LEFT JOIN ${places} USING (coin_id)
     ORDER BY way, place NULLS LAST, length(coin_id), coin_id LIMIT 1`,
  )
  if (found === undefined) return null
  const others = Number(found['coins']) - 1
  const more = others === 0 ? '' : `, and of ${count(others)} more`
  const why = found['why'] === '' ? '' : ` (${String(found['why'])} of it${more})`
  return { id: String(found['coin_id']), why }
}

async function coinSpelledLike(rows: Rows, text: string): Promise<Meant | null> {
  const all = await rows('SELECT DISTINCT coin_id FROM coins')
  const id = didYouMean(
    text,
    all.map((row) => String(row['coin_id'])),
  )
  return id === null ? null : { id, why: '' }
}
