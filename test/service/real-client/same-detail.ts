import { expect } from 'vitest'
import type { Held, HeldRow } from './held-values.ts'

type Json = Record<string, unknown>

/**
 * Compares the body of a coin or token, all of its maps and lists, with the rows of its tables.
 *
 * @param stem `coin_detail` or `token_detail`: start of the names of its tables
 * @param of condition that finds its rows
 */
export async function sameDetail(
  db: Held,
  given: unknown,
  stem: string,
  of: string,
): Promise<void> {
  const newest = (table: string, order: string): Promise<HeldRow[]> =>
    db.rows(
      `FROM ${table} WHERE ${of} AND observed_at = (SELECT max(observed_at) FROM ${table} WHERE ${of}) ORDER BY ${order}`,
    )
  const {
    market_data: market,
    localization,
    description,
    links,
    categories,
    platforms,
    detail_platforms: deployments,
    community_data: community,
    developer_data: developer,
    ...body
  } = given as Json
  const [row] = await newest(`${stem}s`, 'observed_at')
  db.same(body, row!, {
    id: 'coin_id',
    last_updated: 'last_updated_at',
    additional_notices: 'additional_notices',
    status_updates: 'status_updates',
  })
  sameMarket(db, market as Json, row!, await newest(`${stem}_markets`, 'vs_currency'))
  sameTexts(db, { localization, description }, await newest(`${stem}_texts`, 'language'))
  db.equal(
    categories,
    (await newest(`${stem}_categories`, 'ordinal')).map((one) => one['category_name']),
  )
  const isToken = stem === 'token_detail'
  const places = await newest(`${stem}_platforms`, '1')
  const idOf = isToken ? 'deployment_platform_id' : 'platform_id'
  const addressOf = isToken ? 'deployment_contract_address' : 'contract_address'
  db.equal(platforms, Object.fromEntries(places.map((one) => [one[idOf], one[addressOf]])))
  for (const [id, deployment] of Object.entries((deployments ?? {}) as Json)) {
    const place = places.find((one) => one[idOf] === id)
    db.same(deployment, place!, { contract_address: 'detail_contract_address' })
  }
  sameLinks(db, links as Json, row!, await newest(`${stem}_links`, 'kind, ordinal'))
  db.same(prefixed(community as Json, 'community'), row!)
  db.same(prefixed(developer as Json, 'developer'), row!, {
    developer_last_4_weeks_commit_activity_series: 'developer_last_4_weeks_commit_activity_series',
    'developer_code_additions_deletions_4_weeks.additions': 'developer_code_4_weeks_additions',
    'developer_code_additions_deletions_4_weeks.deletions': 'developer_code_4_weeks_deletions',
  })
}

/** Fields by currency lie in a table of their own, figures in the row of the coin. */
function sameMarket(db: Held, market: Json, row: HeldRow, byCurrency: readonly HeldRow[]): void {
  expect(byCurrency.length).toBeGreaterThan(0)
  const dates: Record<string, string> = { ath_date: 'ath_at', atl_date: 'atl_at' }
  for (const [key, value] of Object.entries(market)) {
    const column = dates[key] ?? key
    if (column in byCurrency[0]! && typeof value === 'object') {
      for (const held of byCurrency) {
        // A currency that a map leaves out is NULL in its row.
        db.same({ [column]: (value as Json)[String(held['vs_currency'])] ?? null }, held)
      }
    } else {
      db.same({ [scalarColumn(key, row)]: value }, row)
    }
  }
}

/** Figures without a currency are in usd, and two are in the body twice. */
function scalarColumn(key: string, row: HeldRow): string {
  if (key === 'last_updated') return 'market_data_last_updated_at'
  if (key.startsWith('market_cap_rank')) return `market_data_${key}`
  return `${key}_usd` in row ? `${key}_usd` : key
}

function sameTexts(db: Held, given: Json, rows: readonly HeldRow[]): void {
  const map = (column: string): Json =>
    Object.fromEntries(
      rows.filter((row) => row[column] !== null).map((row) => [row['language'], row[column]]),
    )
  db.equal(given['localization'], map('localized_name'))
  db.equal(given['description'], map('description'))
}

/** Lists of links lie in a table of their own by kind, single ones in the row. */
function sameLinks(db: Held, links: Json, row: HeldRow, rows: readonly HeldRow[]): void {
  const { repos_url: repositories, ...others } = links
  const flat = { ...others, ...(repositories as Json) }
  for (const [kind, value] of Object.entries(flat)) {
    if (!Array.isArray(value)) {
      db.same({ [`links_${kind}`]: value }, row)
      continue
    }
    const own = rows.filter((one) => one['kind'] === kind)
    db.equal(
      value,
      own.map(({ url }) => url),
    )
  }
}

function prefixed(json: Json, prefix: string): Json {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [`${prefix}_${key}`, value]))
}
