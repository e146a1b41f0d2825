import { once } from 'node:events'
import { Option } from 'commander'
import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { say } from '../effects.ts'

const DEFAULT_PORT = '8400'

/** The /v2 service on this machine, from a simulated market, a warehouse or recordings. */
export const serve: CliCommand = {
  name: 'serve',
  group: 'Serve',
  summary: 'answer the /v2 interface: simulated, from a warehouse, or from recordings',
  examples: [
    {
      command: 'coinlake serve --simulate',
      does: 'a made-up market on http://127.0.0.1:8400, the same for everybody',
    },
    {
      command: 'coinlake serve --warehouse ./warehouse --port 0 --log requests.jsonl',
      does: 'what was exported, on any free port, every request written down',
    },
    {
      command: 'COINLAKE_SERVE_KEY=secret coinlake serve --recordings samples --rate 30/1m',
      does: 'recorded answers, with a key and a rate limit',
    },
  ],
  configure(command) {
    command
      .option('--simulate', 'a simulated market, held in memory; its clock stands still')
      .addOption(
        new Option('--preset <size>', 'size of the simulated market')
          .choices(['tiny', 'demo', 'years', 'roundtrip'])
          .default('years'),
      )
      .option('--seed <n>', 'another seed makes another market', '1')
      .option('--now <time>', "the simulated market's present, UTC (default: now)")
      .option('--warehouse <path>', 'a warehouse folder, or its published coinlake.duckdb')
      .option('--recordings <path>', 'a folder of recorded answers, or one file')
      .option('--port <n>', 'where to listen; 0 = any free port', DEFAULT_PORT)
      .option(
        '--host <address>',
        'where to listen; others than this machine need keys',
        '127.0.0.1',
      )
      .option(
        '--key-file <file>',
        'accepted keys, one a line (or COINLAKE_SERVE_KEY); without one the service is open',
      )
      .option('--rate <calls/window>', 'limit of calls by key: 500/1m (default: none)')
      .option('--latency <ms>', 'every answer waits this long', '0')
      .option('--log <file>', 'append each request as a JSON line; `-` is standard error')
  },
  async run(effects, _args, options) {
    const { parsePort, parseQuota, readServeKeys, wholeNumber } =
      await import('../serve/serve-options.ts')
    const text = (name: string): string | undefined => {
      const value = options[name]
      return typeof value === 'string' ? value : undefined
    }
    const port = parsePort(text('port') ?? DEFAULT_PORT)
    const rate = text('rate')
    const quota = rate === undefined ? null : parseQuota(rate)
    const latencyMs = wholeNumber('latency', text('latency') ?? '0')
    const keys = readServeKeys(effects, text('keyFile'))

    const { operations } = await import('../../api/operations.ts')
    const { createService } = await import('../../service/app.ts')
    const { createKeyRing } = await import('../../service/key-ring.ts')
    const { startService } = await import('../../service/serve-http.ts')
    const { closingAfter } = await import('../run/closing-after.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const { openRequestLog } = await import('../serve/open-request-log.ts')
    const { openSource } = await import('../serve/open-source.ts')
    const stop = stopSignal(effects, () => say(effects, 'stopping: open answers are finished'))
    return closingAfter(async (defer) => {
      const { source, about } = await openSource(effects, options)
      defer(() => source.close())
      const logTarget = text('log')
      const log = logTarget === undefined ? null : await openRequestLog(effects, logTarget)
      if (log !== null) defer(log.close)
      const service = createService({
        source,
        operations: Object.values(operations),
        keys: keys.length === 0 ? null : createKeyRing(keys),
        quota,
        latencyMs,
        ...(log === null ? {} : { log: log.write }),
      })
      const server = await startService(service, { port, host: text('host') ?? '127.0.0.1' })
      defer(() => server.close())
      effects.stdout.write(`${server.url}\n`)
      const header = keys.length === 0 ? '' : ' -H "Authorization: Bearer $KEY"'
      say(effects, `serving ${about}`)
      say(effects, `  curl${header} '${server.url}/v2/coins/markets?vs_currency=usd&per_page=3'`)
      say(effects, 'Ctrl-C stops')
      if (!stop.aborted) await once(stop, 'abort')
      return EXIT.complete
    })
  },
}
