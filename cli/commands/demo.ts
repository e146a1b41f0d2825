import type { CliCommand } from '../command.ts'

/** A backfill of a simulated market, and questions to it. */
export const demo: CliCommand = {
  name: 'demo',
  group: 'Start',
  summary: 'a simulated market in ./demo, and four questions answered with SQL: no account, no key',
  examples: {
    'coinlake demo': 'fills demo/warehouse in seconds; again, it makes no call',
    'coinlake demo && cd demo && coinlake query "FROM latest_prices LIMIT 5"': 'and asks one more',
  },
  configure: () => undefined,
  async run(effects) {
    const { runDemo } = await import('../demo/run-demo.ts')
    return runDemo(effects)
  },
}
