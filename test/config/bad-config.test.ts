import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ConfigFlags } from '../../config/config-flags.ts'
import { problemsIn } from './parse.ts'

const SOURCE = 'source: { base_url: "https://api.example" }\n'
const chart = (keys: string): string => `${SOURCE}datasets:\n  market_chart: { ${keys} }\n`

/** The file that a first word of bad-config.txt means. */
const FILES: Readonly<Record<string, (text: string) => string>> = {
  file: (text) => text.replaceAll('\\n', '\n'),
  more: (text) => `${SOURCE}${text}`,
  source: (keys) => `source: { base_url: "https://api.example", ${keys} }`,
  dataset: (text) => `${SOURCE}datasets:\n  ${text}`,
  chart,
}
/** Of each case a line with the place and the text, and its problems, each on an indented line. */
const CASES = readFileSync(new URL('bad-config.txt', import.meta.url), 'utf8').trimEnd()

test.each(CASES.split(/\n(?! )/))('%s', (lines) => {
  const [line, ...problems] = lines.split(/\n +/)
  const [, place, text] = /^(\w+) +(.*)$/.exec(line!) ?? [line, line, '']
  expect(problemsIn(FILES[place!]!(text))).toEqual(problems)
})

test.each<[ConfigFlags, string, Record<string, string>?]>([
  [{ from: '2024-13-01' }, 'CONFIG_BAD_DATE flag --from: the value is not a date: "2024-13-01"'],
  [
    { from: '2024-06-01' },
    'CONFIG_RANGE flag --from: datasets.market_chart.from 2024-06-01 must be before its end 2024-03-31 (c.yaml:3:59)',
  ],
  [{ every: '1h' }, 'CONFIG_FLAG_UNUSED flag --every: no dataset takes "1h"'],
  [{ granularity: '4h' }, 'CONFIG_BAD_GRANULARITY flag --granularity: no dataset takes "4h"'],
  [{ datasets: ['ohl'] }, 'CONFIG_UNKNOWN_DATASET command line: there is no dataset "ohl"'],
  [{ baseUrl: 'ftp://x' }, 'CONFIG_BAD_URL flag --base-url: source.base_url is not a web address'],
  [
    {},
    'CONFIG_BAD_URL env COINLAKE_BASE_URL: source.base_url would send the key unencrypted: "http://10.0.0.1"',
    { COINLAKE_BASE_URL: 'http://10.0.0.1' },
  ],
  [
    {},
    'CONFIG_UNKNOWN_PROFILE env COINLAKE_PROFILE: source.profile is unknown: "interfaces"',
    { COINLAKE_PROFILE: 'interfaces' },
  ],
])(
  'with flags %j the flag or the environment is named as the place: %s',
  (flags, start, env = {}) => {
    const text = chart('coins: [bitcoin], from: 2024-01-01, to: 2024-03-31')
    const [first] = problemsIn(text, { flags, env })
    expect(first?.slice(0, start.length)).toBe(start)
  },
)

test('a flag that is wrong for several datasets is told once', () => {
  const text = `${SOURCE}datasets:
  market_chart: { coins: [bitcoin] }
  ohlc: { coins: [bitcoin] }
`
  expect(problemsIn(text, { flags: { from: 'soon' } })).toEqual([
    'CONFIG_BAD_DATE flag --from: the value is not a date: "soon" | Write a day of the calendar such as 2024-01-31, or an ISO time such as 2024-01-31T12:00:00Z.',
  ])
  expect(problemsIn(text, { flags: { from: '2024-02-01', to: '2024-01-01' } })).toEqual([
    'CONFIG_RANGE flag --from: the start 2024-02-01 must be before its end 2024-01-01 (flag --to) | `to` is not included: a single day runs from 2024-01-01 to 2024-01-02.',
  ])
  expect(problemsIn(text, { flags: { vs: 'u$d', coins: 'top:0' } })).toHaveLength(2)
})

test('all problems are told at once, one each', () => {
  const text = `source: { base_url: 7, profile: interfac }
warehose: x
datasets:
  market_chart: { coins: [top:x], from: 2024-02-30, granularity: 4h }
  ohlcs: {}
`
  const codes = problemsIn(text).map((problem) => problem.split(':', 3).slice(0, 2).join(':'))
  expect(codes).toEqual([
    'CONFIG_BAD_VALUE c.yaml:1',
    'CONFIG_UNKNOWN_KEY c.yaml:2',
    'CONFIG_UNKNOWN_PROFILE c.yaml:1',
    'CONFIG_UNKNOWN_DATASET c.yaml:5',
    'CONFIG_BAD_TOP c.yaml:4',
    'CONFIG_BAD_GRANULARITY c.yaml:4',
    'CONFIG_BAD_DATE c.yaml:4',
  ])
})

test('sections that --dataset leaves out are still checked', () => {
  const flags = { datasets: ['coins'] }
  expect(problemsIn(chart('from: 2024-02-30'), { flags })[0]).toContain(
    'CONFIG_BAD_DATE c.yaml:3:25',
  )
})

test('the key is never part of a message', () => {
  const text = 'source: { base_url: "https://api.example", api_key: "s3cr3t key" }'
  expect(problemsIn(text).join()).not.toContain('s3cr3t')
  expect(problemsIn(text, { env: { COINLAKE_API_KEY: 'other s3cr3t' } }).join()).not.toContain(
    's3cr3t',
  )
})
