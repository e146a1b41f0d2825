import { describe, expect, test } from 'vitest'
import type { HeldRow } from './held-values.ts'
import type { RealClient } from './real-client.ts'
import { MARKET_NOW_MS } from '../tiny-market.ts'

const NOW = new Date(MARKET_NOW_MS).toISOString()

/** Points of a chart as the warehouse holds them. */
async function points(
  sdk: RealClient,
  table: string,
  condition: string,
): Promise<Record<string, unknown[][]>> {
  const rows: HeldRow[] = await sdk.db.rows(`FROM ${table} WHERE ${condition} ORDER BY ts`)
  expect(rows.length).toBeGreaterThan(0)
  const list = (column: string): unknown[][] =>
    rows.map((row) => [(row['ts'] as Date).getTime(), row[column]])
  return {
    prices: list('price'),
    market_caps: list('market_cap'),
    total_volumes: list('total_volume'),
  }
}

/** Charts and candles. */
export function describeSeries(sdk: RealClient): void {
  describe('series of coins', () => {
    const since = (days: number): string => `ts >= TIMESTAMPTZ '${NOW}' - INTERVAL ${days} DAY`

    test('chart of 90 days in hours', async () => {
      const chart = await sdk.ask(
        'coins/{id}/market_chart',
        sdk.client.coins.marketChart.get('bitcoin', { vs_currency: 'usd', days: '90' }),
      )
      sdk.db.equal(
        chart,
        await points(
          sdk,
          'market_chart',
          `coin_id = 'bitcoin' AND vs_currency = 'usd' AND granularity = '1h' AND ${since(90)}`,
        ),
      )
    })

    test('chart between two days, given as dates', async () => {
      const chart = await sdk.ask(
        'coins/{id}/market_chart/range',
        sdk.client.coins.marketChart.getRange('bitcoin', {
          vs_currency: 'eur',
          from: '2025-05-01',
          to: '2025-05-11',
        }),
      )
      sdk.db.equal(
        chart,
        await points(
          sdk,
          'market_chart',
          `coin_id = 'bitcoin' AND vs_currency = 'eur' AND granularity = '1h'
         AND ts BETWEEN TIMESTAMPTZ '2025-05-01 00:00:00+00' AND TIMESTAMPTZ '2025-05-11 00:00:00+00'`,
        ),
      )
    })

    test('candles', async () => {
      const candles = await sdk.ask(
        'coins/{id}/ohlc',
        sdk.client.coins.ohlc.get('bitcoin', { vs_currency: 'usd', days: '30' }),
      )
      const rows = await sdk.db.rows(
        `FROM ohlc WHERE coin_id = 'bitcoin' AND vs_currency = 'usd' AND granularity = '4h'
       AND ${since(30)} AND ts <= TIMESTAMPTZ '${NOW}' ORDER BY ts`,
      )
      expect(rows.length).toBeGreaterThan(100)
      sdk.db.equal(
        candles,
        rows.map((row) => [
          (row['close_at'] as Date).getTime(),
          row['open'],
          row['high'],
          row['low'],
          row['close'],
        ]),
      )
    })

    test('candles of a day, put together from those that are held', async () => {
      const candles = await sdk.ask(
        'coins/{id}/ohlc',
        sdk.client.coins.ohlc.get('bitcoin', {
          vs_currency: 'usd',
          days: '30',
          interval: 'daily',
        }),
      )
      const rows = await sdk.db.rows(
        `SELECT epoch_ms(date_trunc('day', ts AT TIME ZONE 'UTC') + INTERVAL 1 DAY) AS close_ms,
           arg_min(open, ts) AS open, max(high) AS high, min(low) AS low, arg_max(close, ts) AS close
         FROM ohlc WHERE coin_id = 'bitcoin' AND vs_currency = 'usd' AND granularity = '4h'
           AND date_trunc('day', ts AT TIME ZONE 'UTC') >=
             (TIMESTAMPTZ '${NOW}' - INTERVAL 30 DAY) AT TIME ZONE 'UTC'
           AND ts <= TIMESTAMPTZ '${NOW}'
         GROUP BY 1 ORDER BY 1`,
      )
      expect(rows.length).toBeGreaterThan(20)
      sdk.db.equal(
        candles,
        rows.map(({ close_ms, open, high, low, close }) => [
          Number(close_ms),
          open,
          high,
          low,
          close,
        ]),
      )
    })

    test('charts of a token', async () => {
      const token = await sdk.db.row(
        'SELECT platform_id, contract_address FROM token_market_chart LIMIT 1',
      )
      const [id, address] = [String(token['platform_id']), String(token['contract_address'])]
      const of = `platform_id = '${id}' AND contract_address = '${address}' AND vs_currency = 'usd'`
      const chart = await sdk.ask(
        'coins/{id}/contract/{contract_address}/market_chart',
        sdk.client.coins.contract.marketChart.get(address, { id, vs_currency: 'usd', days: '7' }),
      )
      sdk.db.equal(
        chart,
        await points(sdk, 'token_market_chart', `${of} AND granularity = '1h' AND ${since(7)}`),
      )
      const range = await sdk.ask(
        'coins/{id}/contract/{contract_address}/market_chart/range',
        sdk.client.coins.contract.marketChart.getRange(address, {
          id,
          vs_currency: 'usd',
          from: '1748736000',
          to: '1748908800',
        }),
      )
      sdk.db.equal(
        range,
        await points(
          sdk,
          'token_market_chart',
          `${of} AND granularity = '1h' AND epoch_ms(ts) BETWEEN 1748736000000 AND 1748908800000`,
        ),
      )
    })
  })
}
