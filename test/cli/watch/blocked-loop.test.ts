import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchLoop } from '../../../cli/watch/blocked-loop.ts'
import { runLongStep } from '../../../config/long-step.ts'

function hold(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

function watched(): ReturnType<typeof vi.fn> {
  const warn = vi.fn()
  const watch = watchLoop({ warn })
  onTestFinished(() => watch.close())
  return warn
}

test('a block of the thread is logged with the step that was the most of it', async () => {
  const warn = watched()
  await sleep(300)
  await runLongStep(
    () => 'reading GET http://x/v2/coins/list',
    () => hold(1_600),
  )
  await runLongStep(
    () => 'something short',
    () => hold(10),
  )
  await vi.waitFor(() => {
    const at = 'reading GET http://x/v2/coins/list'
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ at }), expect.any(String))
  })
  const [facts] = warn.mock.calls[0] as [{ blockedMs: number; cpuMs: number }]
  expect(facts.blockedMs).toBeGreaterThan(1_000)
  expect(facts.cpuMs).toBeGreaterThan(100)
})

test('a block by something else names no step, not that of an earlier one', async () => {
  await runLongStep(
    () => 'an earlier step',
    () => hold(20),
  )
  const warn = watched()
  await sleep(600)
  hold(1_600)
  await vi.waitFor(() => {
    const at = 'no known step'
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ at }), expect.any(String))
  })
})
