import { expect, test } from 'vitest'
import { exitCodeOf } from '../../../cli/commands/backfill.ts'
import { createRenderer } from '../../../cli/render/create-renderer.ts'
import { brokenOffRun } from '../../../cli/run/begun-run.ts'
import { runExport } from '../../../cli/run/run-export.ts'
import { frozenClock } from '../../../config/clock.ts'
import { HOUR_MS } from '../../../config/values/duration.ts'
import { loadConfig } from '../../../config/load-config.ts'
import { warehouseId } from '../../../config/warehouse-paths.ts'
import { datasets } from '../../../datasets/index.ts'
import { exportWorkflowId } from '../../../workflows/messages.ts'
import { NOW_MS } from '../../parts/day-market.ts'
import { openMarketFolder } from '../../parts/market-lake.ts'
import { silentEffects } from '../../parts/silent-effects.ts'
import { temporalClient } from '../../parts/temporal-client.ts'

/** A worker that has a run of an hour ago, and the same command now. */
async function earlierPlan(coins: string) {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const market = { coins: 5, hold: () => held }
  const { folder, service } = await openMarketFolder(market, () => ({}))
  const { dir, configFile: file, env, paths } = folder
  folder.configure({
    source: [`base_url: "${service.url}"`],
    datasets: [`market_chart: { coins: [${coins}], granularity: daily, from: 2024-03-20 }`],
  })
  const worker = folder.start(['worker', '-c', file])
  await worker.says('Ctrl-C')
  const follow = async (nowMs: number, signal: AbortSignal, onNote: (text: string) => void) => {
    const effects = silentEffects({ env, cwd: dir, clock: frozenClock(nowMs) })
    const config = loadConfig({ file, env, datasets, cwd: dir })
    const renderer = { ...(await createRenderer(effects, { json: true })), note: onNote }
    return await runExport(effects, { config, kind: 'backfill', goOnWith: '' }, renderer, signal)
  }
  const leaving = new AbortController()
  const left = follow(NOW_MS - HOUR_MS, leaving.signal, () => undefined)
  await expect.poll(() => brokenOffRun(paths)).not.toBeNull()
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const client = await temporalClient()
  const handle = client.workflow.getHandle(exportWorkflowId(warehouseId(paths.root)))
  const newestRun = async () => (await handle.describe()).memo?.['runId']
  return {
    runId: await newestRun(),
    newestRun,
    follow: (signal: AbortSignal, onNote: (text: string) => void) =>
      follow(NOW_MS, signal, (text) => {
        if (text.startsWith('going on with run')) release()
        onNote(text)
      }),
  }
}

test('the gaps of a followed run of an earlier hour end the command', async () => {
  const { runId, newestRun, follow } = await earlierPlan('bitcoin, bitcion')
  const report = await follow(new AbortController().signal, () => undefined)
  expect(report).toMatchObject({ runId, verdict: 'partial' })
  expect(exitCodeOf(report)).toBe(3)
  expect(await newestRun()).toBe(runId)
})

test('Ctrl-C after a followed run of an earlier hour begins no other run', async () => {
  const { runId, newestRun, follow } = await earlierPlan('bitcoin')
  const stop = new AbortController()
  const notes: string[] = []
  const following = follow(stop.signal, (text) => {
    notes.push(text)
    if (text.includes('goes on up to now')) stop.abort(new Error('stopped'))
  })
  await expect(following).rejects.toThrow('stopped')
  expect(await newestRun()).toBe(runId)
  expect(notes.at(-1)).toMatch(/ is complete \([1-9]\d* rows with 1 call\): /)
})
