import type { CliCommand } from '../command.ts'
import { print, printJson, say } from '../effects.ts'
import { withOpen } from '../run/closing-after.ts'

export const server: CliCommand = {
  name: 'server',
  group: 'Serve',
  summary: 'start your own Temporal server and keep it running, for other programs',
  examples: {
    'coinlake server': 'starts the server, prints its address, and keeps it until Ctrl-C',
    'coinlake server --json': 'prints {"address", "namespace"} for scripts, and keeps it running',
  },
  configure(command) {
    command.option('--json', 'print the address as JSON')
  },
  async run(effects, _args, options) {
    const { connectClient } = await import('../run/connect-client.ts')
    const { stopSignal, untilStopped } = await import('../run/stop-signal.ts')
    await withOpen(connectClient(effects), async ({ engine }) => {
      const { address, namespace } = engine
      if (options['json'] === true) {
        printJson(effects, { address, namespace }, 0)
      } else {
        print(effects, [address])
      }
      say(effects, `${engine.describe()}; Ctrl-C releases it`)
      await untilStopped(stopSignal(effects))
    })
  },
}
