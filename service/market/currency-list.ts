export interface Currency {
  code: string
  name: string
  unit: string
  type: 'fiat' | 'crypto' | 'commodity'
  /** Units for 1 USD at the anchor day; NaN for coins: their price decides. */
  perUsd: number
  /** Deviation of a day's change; 0 = pegged to the dollar. */
  dayDeviation: number
  /** The coin of a crypto currency, and the number of its units per coin. */
  coin?: { id: string; units: number }
}

/** Day-to-day moves of a major currency, a lively one, and a metal. */
const CALM = 0.004
const LIVELY = 0.009
const METAL = 0.011
const PEGGED = 0
const SATS_PER_BTC = 1e8
const BITS_PER_BTC = 1e6

const COINS: readonly [code: string, name: string, unit: string, coinId: string, units: number][] =
  [
    ['btc', 'Bitcoin', 'BTC', 'bitcoin', 1],
    ['eth', 'Ether', 'ETH', 'ethereum', 1],
    ['ltc', 'Litecoin', 'LTC', 'litecoin', 1],
    ['bch', 'Bitcoin Cash', 'BCH', 'bitcoin-cash', 1],
    ['bnb', 'BNB', 'BNB', 'binancecoin', 1],
    ['xrp', 'XRP', 'XRP', 'ripple', 1],
    ['xlm', 'Lumens', 'XLM', 'stellar', 1],
    ['link', 'Chainlink', 'LINK', 'chainlink', 1],
    ['dot', 'Polkadot', 'DOT', 'polkadot', 1],
    ['sol', 'Solana', 'SOL', 'solana', 1],
    ['bits', 'Bits', 'μBTC', 'bitcoin', BITS_PER_BTC],
    ['sats', 'Satoshi', 'sats', 'bitcoin', SATS_PER_BTC],
  ]

const MONEY: readonly [
  code: string,
  name: string,
  unit: string,
  perUsd: number,
  dayDeviation: number,
][] = [
  ['usd', 'US Dollar', '$', 1, PEGGED],
  ['eur', 'Euro', '€', 0.96, CALM],
  ['gbp', 'Pound Sterling', '£', 0.8, CALM],
  ['jpy', 'Japanese Yen', '¥', 157.2, CALM],
  ['aed', 'UAE Dirham', 'DH', 3.6725, PEGGED],
  ['ars', 'Argentine Peso', '$', 1030.4, LIVELY],
  ['aud', 'Australian Dollar', 'A$', 1.615, CALM],
  ['bdt', 'Bangladeshi Taka', '৳', 119.5, CALM],
  ['bhd', 'Bahraini Dinar', 'BD', 0.376, PEGGED],
  ['bmd', 'Bermudian Dollar', '$', 1, PEGGED],
  ['brl', 'Brazilian Real', 'R$', 6.18, LIVELY],
  ['cad', 'Canadian Dollar', 'CA$', 1.438, CALM],
  ['chf', 'Swiss Franc', 'Fr.', 0.907, CALM],
  ['clp', 'Chilean Peso', 'CLP$', 994.2, LIVELY],
  ['cny', 'Chinese Yuan', '¥', 7.3, CALM],
  ['czk', 'Czech Koruna', 'Kč', 24.3, CALM],
  ['dkk', 'Danish Krone', 'kr.', 7.2, CALM],
  ['gel', 'Georgian Lari', '₾', 2.8, CALM],
  ['hkd', 'Hong Kong Dollar', 'HK$', 7.77, PEGGED],
  ['huf', 'Hungarian Forint', 'Ft', 397.3, CALM],
  ['idr', 'Indonesian Rupiah', 'Rp', 16_095, CALM],
  ['ils', 'Israeli New Shekel', '₪', 3.64, LIVELY],
  ['inr', 'Indian Rupee', '₹', 85.6, CALM],
  ['krw', 'South Korean Won', '₩', 1_474, CALM],
  ['kwd', 'Kuwaiti Dinar', 'KD', 0.308, PEGGED],
  ['lkr', 'Sri Lankan Rupee', 'Rs', 292.6, CALM],
  ['mmk', 'Burmese Kyat', 'K', 2_098, LIVELY],
  ['mxn', 'Mexican Peso', 'MX$', 20.8, LIVELY],
  ['myr', 'Malaysian Ringgit', 'RM', 4.47, CALM],
  ['ngn', 'Nigerian Naira', '₦', 1_546, LIVELY],
  ['nok', 'Norwegian Krone', 'kr', 11.38, CALM],
  ['nzd', 'New Zealand Dollar', 'NZ$', 1.786, CALM],
  ['php', 'Philippine Peso', '₱', 57.8, CALM],
  ['pkr', 'Pakistani Rupee', '₨', 278.4, CALM],
  ['pln', 'Polish Zloty', 'zł', 4.13, CALM],
  ['sar', 'Saudi Riyal', 'SR', 3.755, PEGGED],
  ['sek', 'Swedish Krona', 'kr', 11.06, CALM],
  ['sgd', 'Singapore Dollar', 'S$', 1.366, CALM],
  ['thb', 'Thai Baht', '฿', 34.3, CALM],
  ['try', 'Turkish Lira', '₺', 35.36, LIVELY],
  ['twd', 'New Taiwan Dollar', 'NT$', 32.8, CALM],
  ['uah', 'Ukrainian Hryvnia', '₴', 42, CALM],
  ['vnd', 'Vietnamese Dong', '₫', 25_480, CALM],
  ['zar', 'South African Rand', 'R', 18.84, LIVELY],
  ['xdr', 'Special Drawing Rights', 'XDR', 0.767, CALM],
  ['cop', 'Colombian Peso', '$', 4_406, LIVELY],
  ['kes', 'Kenyan Shilling', 'KSh', 129.3, CALM],
  ['ron', 'Romanian Leu', 'lei', 4.8, CALM],
]

const METALS: readonly [code: string, name: string, unit: string, perUsd: number][] = [
  ['xag', 'Silver - Troy Ounce', 'XAG', 0.0346],
  ['xau', 'Gold - Troy Ounce', 'XAU', 0.000381],
]

/** All 62 currencies, coins first, as the source lists them. */
export const CURRENCIES: readonly Currency[] = [
  ...COINS.map(([code, name, unit, id, units]): Currency => {
    return { code, name, unit, type: 'crypto', perUsd: NaN, dayDeviation: NaN, coin: { id, units } }
  }),
  ...MONEY.map(([code, name, unit, perUsd, dayDeviation]): Currency => {
    return { code, name, unit, type: 'fiat', perUsd, dayDeviation }
  }),
  ...METALS.map(([code, name, unit, perUsd]): Currency => {
    return { code, name, unit, type: 'commodity', perUsd, dayDeviation: METAL }
  }),
]

/** @param code one of CURRENCIES: specs name no others */
export function currencyOf(code: string): Currency {
  return CURRENCIES.find((candidate) => candidate.code === code)!
}

export const USD = currencyOf('usd')
export const BTC = currencyOf('btc')
export const ETH = currencyOf('eth')
