import { ForksPoolWorker, type PoolOptions, type PoolWorker } from 'vitest/node'

type Listener = (message: unknown) => void

/** A process that says nothing for so long runs in a circle: an asynchronous test ends by its own timeout before. */
const SILENT_MS = 40_000
/** Tests that kill a process of their own prove nothing here, because that process has no mutant. */
const WITHOUT_KILLS = /^(?!.*\bkilled at\b)/

/** The process that goes from one mutant to the next. */
let kept: ForksPoolWorker | undefined
let isFresh = false
let watch: NodeJS.Timeout | undefined

/**
 * A worker of vitest that outlives a run: modules are loaded once, and each mutant costs its tests only. Stryker's runner
 * starts vitest once for each mutant, and vitest's own pools start a process each time.
 */
export const keptWorker = {
  name: 'kept',
  createPoolWorker(options: PoolOptions): PoolWorker {
    isFresh = kept === undefined
    const process = (kept ??= new ForksPoolWorker(options))
    let hear: Listener = () => undefined
    const answer = (type: 'started' | 'stopped'): void =>
      queueMicrotask(() => hear({ __vitest_worker_response__: true, type }))
    return {
      name: 'kept',
      cacheFs: true,
      on(event, callback) {
        if (event === 'message') hear = callback as Listener
        process.on(event, callback)
      },
      off: (event, callback) => process.off(event, callback),
      deserialize: (data) => data,
      async start() {
        if (!isFresh) return
        await process.start()
        process.on('exit', () => (kept = undefined))
        process.on('message', () => watch?.refresh())
      },
      async stop() {
        clearTimeout(watch)
        process.off('message', hear)
      },
      send(message) {
        if (message.type === 'stop') return answer('stopped')
        if (message.type === 'start' && !isFresh) return answer('started')
        if (message.type !== 'run') return process.send(message)
        if (message.context.providedContext['mode'] === 'mutant') {
          watch = setTimeout(() => void process.stop(), SILENT_MS)
        }
        // The configuration of this run, with the names of its tests: the process has that of the first.
        const { serializedConfig } = options.project
        const testNamePattern = serializedConfig.testNamePattern ?? WITHOUT_KILLS
        const context = { ...message.context, config: { ...serializedConfig, testNamePattern } }
        process.send({ ...message, context })
      },
    }
  },
}

export async function stopKeptWorker(): Promise<void> {
  await kept?.stop()
}
