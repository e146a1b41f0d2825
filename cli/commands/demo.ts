import type { CliCommand } from '../command.ts'

export const demo: CliCommand = {
  name: 'demo',
  group: 'Start',
  summary:
    'export a simulated market into ./demo and answer four questions with SQL: no account, no key',
  examples: {
    'coinlake demo': 'fills demo/warehouse in seconds; a repetition makes no call',
    'coinlake demo && cd demo && coinlake query "FROM latest_prices LIMIT 5"':
      'asks another question',
  },
  configure: () => undefined,
  async run(effects) {
    const { runDemo } = await import('../demo/run-demo.ts')
    return runDemo(effects)
  },
}
