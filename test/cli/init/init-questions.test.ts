import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/values/duration.ts'
import type { PlanPrice } from '../../../plan/price.ts'
import type { RepeatPrice } from '../../../plan/repeat-price.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { KEYS, talk, type Turn } from './talk.ts'
import { tempDir } from '../../parts/temp-dir.ts'

let cwd: string

beforeEach(() => void (cwd = tempDir()))

const { enter, down, space } = KEYS
const DEMO = ['init', '--profile', 'coingecko-demo']
const SERVICE: Turn = ['What is the URL of the service?', enter]
/** Enter to everything. */
const PROPOSED: readonly Turn[] = [
  SERVICE,
  ['What do you want to study?', enter],
  ['Which coins?', enter],
  ['In which currencies?', enter],
  ['How far apart are the points?', enter],
  ['From when on?', enter],
  ['How often will it run', enter],
  ['Write coinlake.yaml?', enter],
]

/** The proposed answers with others in the place of some. */
function turns(...others: readonly Turn[]): Turn[] {
  return PROPOSED.flatMap((turn) => {
    const instead = others.filter(([shows]) => shows.startsWith(turn[0]))
    return instead.length > 0 ? instead : [turn]
  })
}

async function planOf(file = 'coinlake.yaml'): Promise<PlanPrice & { repeated: RepeatPrice[] }> {
  const { stdout } = await runCaptured(['plan', '--json', '-c', file], { cwd })
  return JSON.parse(stdout) as PlanPrice & { repeated: RepeatPrice[] }
}

/** The text beside a choice whose plan costs this: "4–85 (1 %), then 124–2,635 (27 %)". */
function beside(
  { calls, repeated }: Awaited<ReturnType<typeof planOf>>,
  runEveryMs: number,
): string {
  const month = repeated.find((one) => one.runEveryMs === runEveryMs)!.calls
  const text = ({ min, max }: { min: number; max: number }): string => {
    const range = [...new Set([min, max])].map((value) => value.toLocaleString('en-US')).join('–')
    return `${range} (${Math.ceil(max / 100).toLocaleString('en-US')} %)`
  }
  return `${text(calls)}, then ${text(month)}`
}

describe('asked and answered', () => {
  test('the proposed answers make the file that no question makes', async () => {
    const { exitCode, stdout, parts } = await talk(DEMO, cwd, PROPOSED)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'coinlake.yaml\n' })
    expect(parts.length).toBe(PROPOSED.length)
    const asked = await readFile(join(cwd, 'coinlake.yaml'), 'utf8')
    const { stdout: unasked } = await runCaptured([...DEMO, '-o', '-'], { cwd })
    expect(asked).toBe(unasked)
  })

  test('beside the answer that was chosen stands what coinlake plan says of the file', async () => {
    const { parts, exitCode } = await talk(
      DEMO,
      cwd,
      turns(
        ['What do you want to study?', `${down}${down}${space}${enter}`],
        ['Which coins?', `${down}${down}${enter}`],
        ['In which currencies?', `${down}${enter}`],
        ['How far apart are the points? (market_chart)', `${space}${down}${space}${enter}`],
        ['From when on?', `${down}${enter}`],
        ['How often will it run', `${down}${down}${enter}`],
      ).toSpliced(3, 0, ['Which exchanges?', `kraken,gdax,bitstamp${enter}`]),
    )
    expect(exitCode).toBe(0)
    const plan = await planOf()
    const rowOf = (part: string | undefined, title: string): string =>
      part?.split('\n').find((line) => line.includes(title)) ?? 'nothing'
    const lastQuestion = parts.find((part) => part.includes('How often will it run'))
    expect(rowOf(lastQuestion, 'every hour')).toContain(`  ${beside(plan, HOUR_MS)}`)
    // Volumes of exchanges by the hour go back 14 days, not 30.
    expect(rowOf(lastQuestion, 'every hour')).toMatch(/ \*$/)
    const text = await readFile(join(cwd, 'coinlake.yaml'), 'utf8')
    expect(text).toContain('\n    exchanges: [kraken, gdax, bitstamp]\n')
    expect(text).toContain('\n    coins: top:100\n    vs_currencies: [usd, btc]\n')
    expect(text).toContain('\n    granularity: 1h # 1d | 1h | 5m\n    from: 2025-12-16\n')
    expect(text).toContain('\n    every: 1h\n')
    // Earlier prices follow the answers so far: daily runs, and proposals for the rest.
    await runCaptured([...DEMO, '--study', 'prices,exchanges', '-o', 'so-far.yaml'], { cwd })
    const coins = parts.find((part) => part.includes('Which coins?'))
    expect(rowOf(coins, 'bitcoin, ethereum')).toContain(beside(await planOf('so-far.yaml'), DAY_MS))
  })

  test('a study that the flags do not fit has no price', async () => {
    const { parts } = await talk([...DEMO, '--coins', 'all'], cwd, [
      SERVICE,
      ['What do you want to study?', KEYS.ctrlC],
    ])
    expect(parts[1]).toMatch(/Derivatives +does not fit the earlier answers/)
  })

  test('what a flag says is not asked', async () => {
    const flags = '--study market --vs eur --every 1h --coins top:50 --base-url http://127.0.0.1:1'
    const { exitCode, screen } = await talk(
      ['init', ...flags.split(' '), '--monthly-calls', '5000'],
      cwd,
      [
        ['Which service?', enter],
        ['Write coinlake.yaml?', enter],
      ],
    )
    expect(exitCode).toBe(0)
    expect(screen.match(/\?\n/g)?.length).toBe(4)
    expect(await planOf()).toMatchObject({ month: { isExceeded: false } })
    const text = await readFile(join(cwd, 'coinlake.yaml'), 'utf8')
    expect(text).toContain('\n  monthly_calls: 5000 #')
    expect(text).toContain('\n    coins: top:50\n    vs_currencies: [eur]\n    every: 1h\n')
    expect(text).toContain('\n# calls of the first run: 6 to 8 (<1 % of 5,000)\n')
  })

  test('--yes asks nothing', async () => {
    const { exitCode, stdout, screen } = await talk([...DEMO, '--yes'], cwd, [])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'coinlake.yaml\n' })
    expect(screen).not.toContain('?\n')
  })
})

describe('a text that cannot be meant is told at once and asked again', () => {
  const own = `${down.repeat(6)}${enter}`
  const category = `${down.repeat(4)}${enter}`

  test.each<[of: string, answer: [Turn, ...Turn[]], line: string]>([
    [
      'coins of my own',
      [
        ['Which coins?', own],
        ['Which coins? (ids', `bitcoin,top:3${enter}`],
        ['mixes top:3 with ids', `${KEYS.ctrlU}solana${enter}`],
      ],
      'coins: [solana]',
    ],
    [
      'a category',
      [
        ['Which coins?', category],
        ['Which category?', `a,b${enter}`],
        ['mixes category:a with ids', `${KEYS.ctrlU}category:meme-token${enter}`],
      ],
      'coins: category:meme-token',
    ],
    [
      'a start',
      [
        ['From when on?', `${down.repeat(4)}${enter}`],
        ['From which day on?', `2025-02-30${enter}`],
        ['is not a date', `${KEYS.ctrlU}2027-01-01${enter}`],
        ['lies in the future', `${KEYS.ctrlU}2025-06-01${enter}`],
      ],
      'from: 2025-06-01',
    ],
    [
      'a period',
      [
        ['How often will it run', `${down.repeat(3)}${enter}`],
        ['How often? (', `7h${enter}`],
        ['does not divide a day', `${KEYS.ctrlU}7d${enter}`],
      ],
      'every: 7d',
    ],
  ])('%s', async (_, answer, line) => {
    const [[first]] = answer
    const all = PROPOSED.flatMap((turn) => (first.startsWith(turn[0]) ? answer : [turn]))
    const { exitCode, parts } = await talk(DEMO, cwd, all)
    expect(parts.length).toBe(all.length)
    expect(exitCode).toBe(0)
    expect(await readFile(join(cwd, 'coinlake.yaml'), 'utf8')).toContain(`    ${line}\n`)
  })

  test('the calls of a month', async () => {
    const monthly = 'How many calls a month'
    const { screen } = await talk(
      ['init', '--profile', 'coingecko-pro', '--study', 'market'],
      cwd,
      [
        SERVICE,
        [monthly, `many${enter}`],
        ['must be a whole number', `${KEYS.ctrlU}500000${enter}`],
        ['Which coins?', KEYS.ctrlC],
      ],
    )
    expect(screen).toMatch(/all there are .* \((?:<1|\d+) %\), then .* \((?:<1|\d+) %\)/)
  })
})

describe('given up', () => {
  const last = PROPOSED.slice(0, -1)

  test.each<[how: string, typed: Turn[]]>([
    ['Ctrl-C at the first question', [['What is the URL of the service?', KEYS.ctrlC]]],
    ['Ctrl-C at the studies', [SERVICE, ['study?', KEYS.ctrlC]]],
    ['Escape', [SERVICE, ['study?', KEYS.escape]]],
    ['an input that ends', [SERVICE, ['study?', null]]],
    ['Ctrl-C at the last one', [...last, ['Write', KEYS.ctrlC]]],
    ['no', [...last, ['Write', `n`]]],
  ])('%s: exit 130, and nothing is written', async (_, typed) => {
    const { exitCode, stdout, screen, parts } = await talk(DEMO, cwd, typed)
    expect(parts.length).toBe(typed.length)
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
    expect(screen).toMatch(/cancelled; nothing was written\n$/)
    expect(await readdir(cwd)).toEqual([])
  })
})

describe('refused before anything is asked', () => {
  test('a file that is there', async () => {
    await writeFile(join(cwd, 'coinlake.yaml'), 'mine')
    const { exitCode, screen } = await talk(DEMO, cwd, [])
    expect(exitCode).toBe(2)
    expect(screen).toMatch(/^error\[INIT_EXISTS\]/)
    expect(await readFile(join(cwd, 'coinlake.yaml'), 'utf8')).toBe('mine')
  })

  test('a wrong flag, but not one that a study may still want', async () => {
    const wrong = await talk([...DEMO, '--exchanges', ','], cwd, [])
    expect(wrong.exitCode).toBe(2)
    expect(wrong.screen).toMatch(/^error\[CONFIG_BAD_ID\]: flag --exchanges/)
    const asked = await talk([...DEMO, '--exchanges', 'kraken'], cwd, [SERVICE, ['study?', enter]])
    // The study that was chosen does not want it either.
    expect(asked.exitCode).toBe(2)
    expect(asked.screen).toContain('error[CONFIG_FLAG_UNUSED]: flag --exchanges')
    expect(await readdir(cwd)).toEqual([])
  })
})
