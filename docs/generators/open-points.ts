import type { OperationId } from '../../api/operation.ts'

/** A point that the interface leaves open, and the choice of coinlake. */
export interface OpenPoint {
  open: string
  chosen: string
  why: string
}

/** Query parameters that the interface names; every other one is our choice. */
export const NAMED_PARAMS: Partial<Record<OperationId, readonly string[]>> = {
  'simple/price': ['ids', 'vs_currencies'],
  'coins/markets': ['vs_currency', 'page', 'per_page'],
  'coins/{id}/history': ['date'],
  'coins/{id}/market_chart': ['vs_currency', 'days'],
  'coins/{id}/market_chart/range': ['from', 'to'],
  'coins/{id}/ohlc': ['vs_currency', 'days'],
}

/** The open points of the interface, in its order. */
export const openPoints: readonly OpenPoint[] = [
  {
    open: 'Field names and types of every answer but the coin list',
    chosen: 'those of the widely used services of this kind; `coinlake openapi` lists each field',
    why: 'clients and recorded answers exist for them, and a test compares every recording with ours',
  },
  {
    open: 'Which fields can be null',
    chosen: 'all but ids',
    why: 'nearly every field is null for some coin in recorded answers',
  },
  {
    open: 'Names of the bounds of a range',
    chosen: '`from` and `to`, whole epoch seconds, both inclusive',
    why: 'the interface hints at the names; milliseconds, as in answers, are refused with a message that names the unit',
  },
  {
    open: 'Name of the contract addresses of `simple/token_price/{id}`, and how many',
    chosen: '`contract_addresses`, at most 100',
    why: 'what clients send; the limit is that of paid plans',
  },
  {
    open: 'Name of the period of a contract chart',
    chosen: '`days`, with `vs_currency`',
    why: 'as for the chart of a coin',
  },
  {
    open: 'Name of the search text',
    chosen: '`query`',
    why: 'what clients send',
  },
  {
    open: 'Pages of tickers, exchanges and derivative exchanges',
    chosen:
      '`page` from 1; tickers always 100 a page, exchanges `per_page` 1 to 250 (100), derivative exchanges (50)',
    why: 'recorded answers have these sizes; a short page is the last, one beyond it is empty with status 200',
  },
  {
    open: 'Sizes of a page of `coins/markets`',
    chosen: '`per_page` 1 to 250, default 100; beyond it is refused',
    why: 'a page that is silently smaller than asked for looks like the last one',
  },
  {
    open: 'Required or optional, defaults, allowed values',
    chosen: 'the tables below',
    why: 'an operation whose parameters are not named works without any',
  },
  {
    open: 'Bounds of `days`',
    chosen:
      'whole days from 1 to 36500, or `max`; candles and volume charts take 1, 7, 14, 30, 90, 180, 365',
    why: 'the interface says an integer count; candles exist only for the listed values',
  },
  {
    open: 'Window of `exchanges/{id}/volume_chart`',
    chosen: 'optional `days`, default 1',
    why: 'the interface names no parameter and a rolling 24 hours; clients of such services send days',
  },
  {
    open: '`dex_pair_format` of tickers',
    chosen: 'checked, but without effect: pairs are written as recorded, by default by address',
    why: 'a ticker by address has no symbol, and its coins may not be exported; `coin_id` and `target_coin_id` name them in either form',
  },
  {
    open: 'Name and values of the interval of candles',
    chosen: '`interval`: hourly, daily, weekly; without it the step follows from `days`',
    why: 'the interface names the three steps; the name is that of the charts',
  },
  {
    open: 'Step of the points of a chart',
    chosen: 'follows from the window (below) unless `interval` says it',
    why: 'such services do so, and clients cut their ranges by it',
  },
  {
    open: 'Unknown ids, addresses and currencies in lists',
    chosen: 'left out of `simple/price` and `simple/token_price/{id}`',
    why: 'recorded: an unknown currency gives `{"bitcoin":{}}` with status 200',
  },
  {
    open: 'Unknown `vs_currency`',
    chosen: '400 naming it, where the supported currencies are known',
    why: 'an empty chart would look like a coin without a past',
  },
  {
    open: 'A date before the listing, or of a day that has not ended',
    chosen: '200 without `market_data`',
    why: 'recorded so: the coin is known, but not its price on that day',
  },
  {
    open: 'Market sentiment in `global`; lending and borrowing in DeFi',
    chosen: 'not there',
    why: 'no service of this kind sends them, so there is no shape to take',
  },
  {
    open: 'Whether every operation needs the key',
    chosen:
      'all do, `ping` and `/openapi.json` too; a service without keys is open and listens on this machine only',
    why: 'the interface says that each request has the key, and an exception would be one more thing to get wrong',
  },
  {
    open: 'How keys are issued, rotated and revoked; Users and Auth',
    chosen:
      '`coinlake keys create`, `list`, `revoke`; a key has a name and may have a limit of its own',
    why: 'the interface shows no operation for it, and the operator of the service has its machine',
  },
  {
    open: 'Status of each refusal',
    chosen: 'the table below; a missing parameter is 400',
    why: 'the interface tells clients to handle 400, 401, 429 and 500; 404 and 405 are those of HTTP',
  },
  {
    open: 'Unknown, repeated and empty parameters',
    chosen: '400 naming them',
    why: 'if a mistyped filter were ignored, the answer would be wrong without a word',
  },
  {
    open: 'Quota and its window',
    chosen:
      '`--rate`, or that of the key; windows start with the minute of the clock; refused calls cost nothing',
    why: 'without a limit the headers have the digits of a limit that no client reaches',
  },
  {
    open: 'Unit of X-RateLimit-Reset',
    chosen: 'epoch seconds at the end of the window, on the clock of the Date header',
    why: 'the most common unit; Retry-After has the seconds',
  },
  {
    open: 'How old an answer may be',
    chosen: '`Cache-Control: max-age`, by operation and for charts by their step',
    why: 'what such services document',
  },
  {
    open: 'Case of ids, codes and paths; a slash at the end',
    chosen: 'case counts everywhere but in EVM addresses; a slash at the end does not matter',
    why: 'not all ids are slugs, and two ids may differ only in case',
  },
]
