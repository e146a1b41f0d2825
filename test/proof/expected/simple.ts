import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, observed, seenOnce, text } from './json-columns.ts'
import { tokenOf } from './token.ts'

/** A row per entry of the body and currency that was asked for, whether it is there or not. */
function quotes(asked: AskedFor, entry: string): string {
  const perCurrency = asked.vsCurrency.split(',').map(
    (code) => `SELECT ${entry}, ${text(code)} AS vs_currency, ${observed(asked)},
  ${fromJson(
    [
      ['price', 'DOUBLE', `"${code}"`],
      ['market_cap', 'DOUBLE', `"${code}_market_cap"`],
      ['volume_24h', 'DOUBLE', `"${code}_24h_vol"`],
      ['price_change_percentage_24h', 'DOUBLE', `"${code}_24h_change"`],
      ['last_updated_at', 'EPOCH_S'],
    ],
    'entry.value',
  )} FROM ${BODY}, json_each(j) AS entry`,
  )
  return perCurrency.join('\nUNION ALL ')
}

export function priceQuotes(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'price_quotes',
      key: ['coin_id', 'vs_currency'],
      sql: quotes(asked, 'entry.key AS coin_id'),
    },
  ]
}

export function tokenPriceQuotes(asked: AskedFor): ExpectedTable[] {
  const { platformId } = tokenOf(asked)
  return [
    {
      table: 'token_price_quotes',
      key: ['contract_address', 'vs_currency'],
      sql: quotes(
        asked,
        `${text(platformId)} AS platform_id,
         CASE WHEN regexp_full_match(entry.key, '0x[0-9a-fA-F]{40}') THEN lower(entry.key)
           ELSE entry.key END AS contract_address`,
      ),
    },
  ]
}

export function vsCurrencies(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'vs_currencies',
      key: ['currency'],
      sql: `SELECT j->>'$' AS currency, ${seenOnce(asked)}, place AS list_ordinal FROM ${items('$')}`,
    },
  ]
}
