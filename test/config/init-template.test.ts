import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { frozenClock } from '../../config/clock.ts'
import { profiles, type ProfileName } from '../../config/profiles.ts'
import { initTemplate, type InitAnswers } from '../../config/init-template.ts'
import { parseConfig } from '../../config/load-config.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { shapes } from './shapes.ts'

const answers: InitAnswers = {
  profile: 'interface',
  baseUrl: 'http://127.0.0.1:8400',
  coins: ['bitcoin', 'boringdao-[old]', 'null', '1move token'],
  vsCurrencies: ['usd', 'eur'],
  granularity: '1d',
  from: '2024-01-01',
  datasets: shapes.map((shape) => shape.name),
}

function load(text: string) {
  return parseConfig({ file: 'coinlake.yaml', env: {}, datasets: shapes }, text)
}

test('the file that init writes loads and can be planned', () => {
  const text = initTemplate(answers, shapes)
  expect(text.split('\n')[0]).toBe(
    '# yaml-language-server: $schema=./node_modules/coinlake/config/config.schema.json',
  )
  expect(text).toContain('  # Prices over time.\n  market_chart:\n')
  const config = load(text)
  expect(config.source.keyMissing).toBe('env COINLAKE_API_KEY is not set')
  const wanted = wantedFromConfig(config, shapes, frozenClock(Date.UTC(2025, 0, 1)))
  expect(wanted.map((one) => one.dataset)).toEqual(answers.datasets)
  const chart = wanted.find((one) => one.dataset === 'market_chart')
  expect(chart).toMatchObject({
    entities: answers.coins,
    granularity: '1d',
    vsCurrencies: ['usd', 'eur'],
  })
  expect(config.datasets['ohlc']?.granularity).toBe('4h')
})

test('so it does when what is commented out is put in', () => {
  const text = initTemplate(answers, shapes).replaceAll(
    /^( *)# (?=(rate|monthly_calls|timeout|concurrency|stage|parquet):|  (keep|version):)/gm,
    '$1',
  )
  expect(load(text)).toMatchObject({
    parquetVersion: 'v2',
    source: { monthlyCalls: 10_000, rate: { calls: 30, perMs: 60_000 } },
  })
})

test('whatever is answered, the file loads and means it', () => {
  const names = Object.keys(profiles) as ProfileName[]
  const id = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => {
    return text.trim() === text && !/[,\p{Cc}]|\$\{|^top:/u.test(text)
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.oneof(fc.constant(['top:25']), fc.uniqueArray(id, { minLength: 1, maxLength: 4 })),
      fc.shuffledSubarray(answers.datasets as string[], { minLength: 1 }),
      (profile, coins, datasets) => {
        const text = initTemplate({ ...answers, profile, coins, datasets }, shapes)
        const config = load(text)
        expect(Object.keys(config.datasets)).toEqual(datasets)
        const chosen = config.datasets['market_chart']?.coins
        if (chosen === undefined) return
        expect(chosen).toEqual(coins[0] === 'top:25' ? { top: 25 } : { ids: coins })
      },
    ),
  )
})
