import { HUNDRED_DIGITS, type Variations } from './variation.ts'

/** Charts of coins, tokens and exchanges, and candles: points out of order, null, and missing in one array; no array at all. */
export const SERIES: Variations = {
  'coins-id-market_chart-range-unsorted--variation.json': {
    text: `{
  "prices": [[1704153600000, 4.2e-11], [1704067200000, 1E3], [1704240000000, null],
    [1704326400000, 5e-324], [1704412800000, 1.7976931348623157e308],
    [1704499200000, 123456789012345680000], [1704585723456, 0.1], [1704672000000, 0.30000000000000004]],
  "market_caps": [[1704153600000, 0], [1704067200000, 9007199254740993], [1704240000000, 1e21],
    [1704326400000, null], [1704412800000, 2.5E+2], [1704499200000, 0.0], [1704672000000, 7]],
  "total_volumes": [[1704672000000, 3], [1704153600000, 18446744073709551616], [1704067200000, null],
    [1704240000000, 1.0], [1704326400000, 1e-7], [1704412800000, 0.1e-6], [1704499200000, 2]]
}`,
  },
  'coins-id-market_chart-hours--variation.json': {
    text: `{
  "prices": [[1709251261123, 1e0], [1709254871001, 2.5], [1709258462999, null], [1709262001000, 12e-1]],
  "market_caps": [[1709251261123, null], [1709254871001, null], [1709258462999, null], [1709262001000, null]],
  "total_volumes": []
}`,
  },
  'coins-id-market_chart-range-without-caps--variation.json': {
    text: `{
  "prices": [[1704067200000, 1.5], [1704153600000, null]],
  "total_volumes": [[1704153600000, 2.5], [1704240000000, 3.5]]
}`,
    quarantined: 1,
  },
  'coins-id-contract-market_chart-hours--variation.json': {
    text: `{
  "prices": [[1709251261123, 1.0001], [1709254871001, null], [1709258462999, 1e-30]],
  "market_caps": [[1709262001000, 5.5]],
  "total_volumes": [[1709254871001, 9007199254740993], [1709258462999, -0.0], [1709262001000, 12e-1]]
}`,
  },
  'coins-id-ohlc-unsorted--variation.json': {
    text: `[
  [1711972800000, 1e-9, 2e-9, 5E-10, null], [1711944000000, 70000, 70001.5, 69999, 7.0e4],
  [1711958400000, 1, 1, 1, 1], [1711987200000, null, null, null, null]
]`,
  },
  'exchanges-id-volume_chart-unsorted--variation.json': {
    text: `[
  [1709258400000.0, "0"], [1709251200000, "${HUNDRED_DIGITS}"], [1709254800000, null],
  [1709262000000, "1e-400"], [1709265600000, 12.5], [1709269200789, "00306800.050"]
]`,
  },
}
