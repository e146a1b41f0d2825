import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { operations } from '../../../api/operations.ts'
import { datasetsOfStudies, studies } from '../../../cli/init/studies.ts'
import { datasets } from '../../../datasets/index.ts'
import type { Bounds } from '../../../plan/price-slice.ts'
import type { PlanPrice } from '../../../plan/price.ts'
import type { RepeatPrice } from '../../../plan/repeat-price.ts'
import { runCaptured } from '../../parts/run-captured.ts'
import { tempDir } from '../../parts/temp-dir.ts'

let cwd: string

beforeEach(async () => {
  cwd = tempDir()
})

/** "4 to 85", "up to 85" or "85". */
function boundsOf(text: string): Bounds {
  const [first = NaN, second = first] = (text.match(/[0-9,]+/g) ?? []).map((number) =>
    Number(number.replaceAll(',', '')),
  )
  return text.startsWith('up to ') ? { min: 0, max: first } : { min: first, max: second }
}

interface Costs {
  first: Bounds
  daily: Bounds
  hourly: Bounds
}

/** The costs in the comments of a file, by dataset; '' = of the whole. */
function costsIn(text: string): Record<string, Costs> {
  const costs: Record<string, Costs> = {}
  for (const [, name = '', first = '', month = ''] of text.matchAll(
    /^ {2}(\w+): # calls: (.+), then a month (.+)$/gm,
  )) {
    const of = (period: string): string =>
      month.split(', ').find((part) => part.endsWith(` ${period}`)) ?? month
    const [daily, hourly] = [boundsOf(of('daily')), boundsOf(of('hourly'))]
    costs[name] = { first: boundsOf(first), daily, hourly }
  }
  const line = (start: string): Bounds =>
    boundsOf(new RegExp(`^# ${start}: ([^(\\n]+)`, 'm').exec(text)?.[1]?.trim() ?? '')
  costs[''] = {
    first: line('calls of the first run'),
    daily: line('calls of a month, run daily'),
    hourly: line('calls of a month, run hourly'),
  }
  return costs
}

/** The same of `coinlake plan` for the file. */
async function plannedCosts(file: string): Promise<Record<string, Costs>> {
  const { stdout } = await runCaptured(['plan', '--json', '-c', file], { cwd })
  const plan = JSON.parse(stdout) as PlanPrice & { repeated: RepeatPrice[] }
  const plain = ({ min, max }: Bounds): Bounds => ({ min, max })
  const [daily, hourly] = [86_400_000, 3_600_000].map((everyMs) =>
    plan.repeated.find(({ runEveryMs }) => runEveryMs === everyMs)!,
  ) as [RepeatPrice, RepeatPrice]
  const first = new Map(plan.perDataset.map(({ dataset, calls }) => [dataset, plain(calls)]))
  return {
    ...Object.fromEntries(
      daily.perDataset.map(({ dataset, calls }, index) => [
        dataset,
        { first: first.get(dataset)!, daily: calls, hourly: hourly.perDataset[index]!.calls },
      ]),
    ),
    '': { first: plain(plan.calls), daily: daily.calls, hourly: hourly.calls },
  }
}

describe.each(studies.map(({ name }) => name))('--study %s', (study) => {
  test.each([
    { flags: '' },
    { flags: '--profile coingecko-demo --every 1h --granularity hourly' },
    { flags: '--profile coingecko-pro --monthly-calls 500000 --coins top:300 --vs usd,eur' },
    { flags: '--coins category:layer-1 --from 2025-09-01 --to 2026-02-01' },
    { flags: '--coins all --from 2013-04-28 --every 7d' },
  ])('$flags: the comments of the file say what coinlake plan says of it', async ({ flags }) => {
    // Flags that nothing of a study takes are refused; here they are left out.
    const words = flags.split(' ').filter((word) => word !== '')
    const argv = ['init', '-o', 'c.yaml', '--study', study]
    let ended = await runCaptured([...argv, ...words], { cwd })
    for (const [, flag = ''] of ended.stderr.matchAll(/\]: flag (--[a-z]+): no dataset takes/g)) {
      words.splice(words.indexOf(flag), 2)
    }
    if (ended.exitCode !== 0) ended = await runCaptured([...argv, ...words], { cwd })
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'c.yaml\n' })
    const told = costsIn(await readFile(join(cwd, 'c.yaml'), 'utf8'))
    expect(Object.keys(told).length).toBeGreaterThan(1)
    for (const costs of Object.values(told)) {
      for (const { min, max } of Object.values(costs)) expect(max).toBeGreaterThanOrEqual(min)
    }
    expect(told).toEqual(await plannedCosts('c.yaml'))
  })
})

test('every operation and every dataset is in a study', () => {
  const named = new Set<string>(studies.flatMap((study) => study.operations ?? []))
  const narrow = studies.filter((study) => study.operations !== null).map(({ name }) => name)
  expect(datasetsOfStudies(narrow, datasets)).toEqual(datasets.map(({ name }) => name))
  expect(datasetsOfStudies(['everything'], datasets)).toEqual(datasets.map(({ name }) => name))
  const asked = new Set<string>(datasets.flatMap((dataset) => dataset.operations))
  // Lists that a dataset reads beside its pages, and series by days where a range is better.
  const beside = Object.keys(operations).filter((id) => asked.has(id) && !named.has(id))
  expect(beside).toEqual([
    'coins/{id}/market_chart',
    'coins/{id}/contract/{contract_address}/market_chart',
    'exchanges/list',
    'derivatives/exchanges/list',
  ])
  expect([...named].filter((id) => !asked.has(id))).toEqual([])
})

test('what is named comes first, then what the studies add', async () => {
  const flags = ['--study', 'attention', '--dataset', 'exchange_rates, search_results']
  const { stdout } = await runCaptured(['init', '-o', '-', ...flags], { cwd })
  expect(Object.keys(costsIn(stdout))).toEqual([
    'exchange_rates',
    'search_results',
    'trending_coins',
    '',
  ])
})

describe('wrong', () => {
  test.each([
    [['--from', '2024-02-30'], 'CONFIG_BAD_DATE', 'flag --from'],
    [['--dataset', 'ohcl'], 'CONFIG_UNKNOWN_DATASET', 'command line'],
    [['--profile', 'coingeko-pro'], 'CONFIG_UNKNOWN_PROFILE', 'coingecko-pro'],
    [['--base-url', 'http://example.com'], 'CONFIG_BAD_URL', 'unencrypted'],
    [['--dataset', 'coins', '--vs', 'usd'], 'CONFIG_FLAG_UNUSED', 'flag --vs'],
    [['--study', 'price'], 'CONFIG_UNKNOWN_STUDY', 'Did you mean `prices`?'],
    [['--study', ''], 'CONFIG_UNKNOWN_STUDY', 'Studies: prices, candles'],
    [['--study', 'prices,,'], 'CONFIG_UNKNOWN_STUDY', 'flag --study'],
    [['--monthly-calls', '0'], 'CONFIG_BAD_VALUE', 'flag --monthly-calls'],
    [['--monthly-calls', '1e3'], 'CONFIG_BAD_VALUE', '"1e3"'],
    [['--every', '7h'], 'CONFIG_BAD_DURATION', 'flag --every'],
    [['--to', '2020-01-01'], 'CONFIG_RANGE', 'must be before its end 2020-01-01'],
    [['--granularity', '1h,7h'], 'CONFIG_BAD_GRANULARITY', '"7h"'],
    [['--study', 'tokens', '--tokens', 'eth'], 'CONFIG_BAD_TOKEN', 'flag --tokens'],
  ])('%j: %s, and nothing is written', async (argv, code, says) => {
    const { exitCode, stdout, stderr } = await runCaptured(['init', ...argv], { cwd })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(`error[${code}]`)
    expect(stderr).toContain(says)
    await expect(readFile(join(cwd, 'coinlake.yaml'))).rejects.toThrow('ENOENT')
  })
})
