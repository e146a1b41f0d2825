import { withProfileParams } from '../../api/profile-params.ts'
import { createService } from '../../service/app.ts'
import { openApiDocument } from '../../service/openapi/openapi.ts'
import { openPort } from '../../service/serve-http.ts'
import { print, say, type Effects, type Options } from '../effects.ts'
import { counted } from '../render/quantities.ts'
import { textOption } from '../run/choice-flags.ts'
import { closingAfter } from '../run/closing-after.ts'
import { stopSignal, untilStopped } from '../run/stop-signal.ts'
import { coinlakeVersion } from '../version.ts'
import { openFaults } from './open-faults.ts'
import { openKeys } from './open-keys.ts'
import { openRequestLog } from './open-request-log.ts'
import { openSource } from './open-source.ts'
import { openTls } from './open-tls.ts'
import { sayServed } from './say-served.ts'
import { parseHosts, parsePort, parseProfile, parseQuota, wholeNumber } from './serve-options.ts'

/**
 * Serves the interface until a signal, as the options of `serve` say.
 *
 * @throws ConfigError for an option or file that cannot be used; SinkError
 */
export async function serveUntilStopped(effects: Effects, options: Options): Promise<void> {
  const port = parsePort(String(options['port']))
  const rate = textOption(options, 'rate')
  const quota = rate === undefined ? null : parseQuota(rate)
  const latencyMs = wholeNumber('latency', String(options['latency']))
  const profile = parseProfile(String(options['profile']))
  const host = String(options['host'])
  const names = parseHosts(options['allowHost'] as string[])
  const { keys, about: aboutKeys } = openKeys(effects, options)
  const { faults, about: aboutFaults } = await openFaults(effects, options)
  const https = await openTls(effects, options, host)
  const stop = stopSignal(effects, () => say(effects, 'stopping after the open answers'))
  await closingAfter(async (defer) => {
    // The port opens before the market is made. So a taken port is reported at once, and early callers wait.
    const server = await openPort(
      { port, host, names, ...(https === null ? {} : { tls: https.tls }) },
      keys === null,
    )
    defer(() => server.close())
    const { source, about } = await openSource(effects, options)
    defer(() => source.close())
    const logTarget = textOption(options, 'log')
    const log = logTarget === undefined ? null : await openRequestLog(effects, logTarget)
    if (log !== null) defer(log.close)
    const service = createService({
      source,
      operations: withProfileParams(profile),
      profile,
      keys,
      quota,
      latencyMs,
      faults,
      document: openApiDocument(profile, coinlakeVersion),
      onWrongKeys: (address, times) =>
        say(effects, `warning: ${counted(times, 'request')} with a wrong key from ${address}`),
      ...(log === null ? {} : { log: log.write }),
    })
    server.answerWith(service)
    // The last deferred step runs first. Open answers need the log and the source, so the server closes first.
    defer(() => server.close())
    print(effects, [server.url])
    sayServed(effects, {
      url: server.url,
      host,
      about: [about, aboutKeys, aboutFaults].filter((part) => part !== '').join('; '),
      profile,
      isWhole: options['simulate'] === true,
      hasKeys: keys !== null,
      certFile: https?.certFile ?? null,
    })
    await untilStopped(stop)
  })
}
