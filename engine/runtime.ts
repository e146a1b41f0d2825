import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { LogLevel } from '@temporalio/worker'

/**
 * Where Temporal's own log lines go. `meta` carries ids and errors. pino fits:
 * `(level, message, meta) => logger[level.toLowerCase()](meta, message)`.
 */
export type EngineLog = (level: LogLevel, message: string, meta: Record<string, unknown>) => void

/** Said of every worker that is meant to have only one half (see workers.ts). */
const EXPECTED = /^No (activities|workflows) registered/

let installed = false

/**
 * Sets up Temporal's runtime of this process, once, before the first native connection: WARN and worse, to
 * `log` (never stdout), and no signal handlers of its own, since Ctrl-C belongs to the command line.
 * Later calls change nothing: the runtime is one per process.
 */
export function installRuntime(log: EngineLog): void {
  if (installed) return
  installed = true
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    if (!EXPECTED.test(message)) log(level, message, { ...meta })
  })
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: {
      logging: {
        filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
        forward: {},
      },
    },
  })
}
