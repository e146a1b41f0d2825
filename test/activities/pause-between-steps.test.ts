import { expect, onTestFinished, test, vi } from 'vitest'
import { coinMarkets } from '../../datasets/coin-markets.ts'
import { coins, fetchBench } from './fetch/fetch-bench.ts'

/** Steps of a page, and whether other work of the process had its turn between them. */
async function stepsOf(body: unknown[]): Promise<string[]> {
  const steps: string[] = []
  const note = (step: string): void => {
    steps.push(step)
    setImmediate(() => steps.push('others'))
  }
  const bench = await fetchBench(() => ({ body }))
  const { parse } = JSON
  const toTables = coinMarkets.toTables.bind(coinMarkets)
  const write = bench.stage.write.bind(bench.stage)
  const text = JSON.stringify(body)
  const spies = [
    vi.spyOn(JSON, 'parse').mockImplementation((given: string, reviver) => {
      if (given === text) note('parse')
      return parse(given, reviver) as unknown
    }),
    vi.spyOn(coinMarkets, 'toTables').mockImplementation((...given) => {
      note('rows')
      return toTables(...given)
    }),
    vi.spyOn(bench.stage, 'write').mockImplementation((...given) => {
      steps.push('stage')
      return write(...given)
    }),
  ]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  await bench.fetch({})
  return steps.slice(0, steps.indexOf('stage') + 1)
}

test.each([
  ['small', 0, ['parse', 'rows', 'stage']],
  ['of a megabyte', 1024 * 1024, ['parse', 'others', 'rows', 'stage']],
])(
  '%s: the steps of an answer, and when others have their turn',
  async (_size, length, expected) => {
    const [one, ...rest] = coins(3) as object[]
    const steps = await stepsOf([{ ...one, padding: 'x'.repeat(length) }, ...rest])
    expect(steps).toEqual(expected)
  },
)
