import { expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '../../../api/operations.ts'
import { datasetByName } from '../../../datasets/index.ts'
import { CHART, coins, fetchBench, firstPage, planned } from './fetch-bench.ts'

/** Large enough to be read in a turn of its own. */
const CHART_BODY = {
  prices: Array.from({ length: 960 }, (_, i) => [CHART.fromMs + i * 180_000, 1 + i]),
  market_caps: [],
  total_volumes: [],
}

test('a page that waits for the disk holds no parsed answer', async () => {
  const bench = await fetchBench(() => ({ body: coins(3) }))
  const get = vi.spyOn(bench.deps.client, 'get')
  const write = vi.spyOn(bench.stage, 'write').mockImplementation(async () => {
    expect(await get.mock.results[0]!.value).toMatchObject({ kind: 'ok', json: undefined })
    throw new Error('seen')
  })
  await expect(bench.fetch({})).rejects.toThrow('seen')
  expect(write).toHaveBeenCalledTimes(1)
})

test('the rows of an answer are made before the next answer is read', async () => {
  const bench = await fetchBench(() => ({ body: CHART_BODY }))
  const steps: string[] = []
  const { response } = operations['coins/{id}/market_chart/range']
  const reading = vi.spyOn(response, 'safeParse').mockImplementation((json) => {
    steps.push('read')
    // The other answers arrive meanwhile.
    const untilMs = performance.now() + 20
    while (performance.now() < untilMs);
    return { success: true, data: json }
  })
  const making = vi.spyOn(datasetByName('market_chart')!, 'toTables').mockImplementation(() => {
    steps.push('rows')
    throw new Error('seen')
  })
  onTestFinished(() => {
    for (const spy of [reading, making]) spy.mockRestore()
  })
  const pages = ['bitcoin', 'dogecoin', 'ethereum'].map((entity) =>
    bench.fetch(firstPage(planned({ ...CHART, entity }))),
  )
  await Promise.allSettled(pages)
  expect(steps).toEqual(['read', 'rows', 'read', 'rows', 'read', 'rows'])
})
