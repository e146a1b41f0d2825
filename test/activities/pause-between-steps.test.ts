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

test('between parse, rows and stage of a large answer others have their turn', async () => {
  const padding = 'x'.repeat(256 * 1024)
  const [one, ...rest] = coins(3) as object[]
  const large = await stepsOf([{ ...one, padding }, ...rest])
  expect(large).toEqual(['parse', 'others', 'rows', 'others', 'stage'])
})

test('a small answer is parsed, made rows of and staged at once', async () => {
  expect(await stepsOf(coins(3))).toEqual(['parse', 'rows', 'stage'])
})
