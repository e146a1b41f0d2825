import { Option } from 'commander'
import { FAULT_PRESET_NAMES } from '../../service/faults/fault-preset-names.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { CliCommand } from '../command.ts'

const HOURLY_REACH = Object.entries(MARKET_PRESETS)
  .map(([name, { hourlyDays }]) => `${hourlyDays} (${name})`)
  .join(', ')

export const serve: CliCommand = {
  name: 'serve',
  group: 'Serve',
  summary: 'answer the /v2 interface: simulated, from a warehouse, or from recordings',
  examples: {
    'coinlake serve --simulate':
      'a simulated market on http://127.0.0.1:8400, the same for everybody',
    'coinlake serve --warehouse ./warehouse --port 0 --log requests.jsonl':
      'the exported data on any free port; each request is logged',
    'COINLAKE_SERVE_KEY=secret coinlake serve --recordings samples --rate 30/1m':
      'recorded answers, with a key and a rate limit',
    'coinlake serve --warehouse ./warehouse --keys coinlake-keys.json --tls':
      'https with a certificate made for this machine, and the keys of `coinlake keys`',
    'coinlake serve --simulate --profile coingecko-pro':
      'answers as that provider, for clients made for it',
    'coinlake serve --simulate --faults mild --fault-seed 7 --log requests.jsonl':
      'with faults that a client must survive; the same seed repeats them, and the log names them',
  },
  configure(command) {
    command
      .option('--simulate', 'a simulated market, held in memory; its clock runs')
      .addOption(
        new Option(
          '--preset <size>',
          `size of the simulated market, with hourly points of the last ${HOURLY_REACH} days (full: 18,000 coins, for half a minute of CPU and 1.6 GB)`,
        )
          .choices(Object.keys(MARKET_PRESETS))
          .default('years'),
      )
      .option(
        '--seed <n>',
        'number of the simulated market; the same number gives the same one',
        '1',
      )
      .option(
        '--clock <when>',
        'stop the clock of the simulated market or the warehouse: `frozen` = now, or a UTC time',
      )
      .option('--warehouse <path>', 'a warehouse folder, or its published coinlake.duckdb')
      .option(
        '--recordings <path>',
        'a folder of recorded answers, or one file; each is given for any id and window',
      )
      .option('--port <n>', 'port to listen on; 0 = any free port', '8400')
      .option(
        '--host <address>',
        'address to listen on; one that other machines reach needs keys',
        '127.0.0.1',
      )
      .option(
        '--allow-host <name>',
        'another host name by which callers reach a service on this machine, such as that of a proxy; repeatable',
        (name: string, names: string[]) => [...names, name],
        [],
      )
      .option('--keys <file>', 'file of `coinlake keys` (default: coinlake-keys.json if it exists)')
      .option(
        '--key-file <file>',
        'file with more keys, one a line; without it the variable COINLAKE_SERVE_KEY may hold them; without any key every caller is served',
      )
      .option('--rate <calls/window>', 'limit of calls of each key: 500/1m (default: none)')
      .option('--tls', 'https with a certificate made for this machine')
      .option('--tls-cert <file>', 'https with this certificate (PEM); needs --tls-key')
      .option('--tls-key <file>', 'private key of --tls-cert (PEM)')
      .option(
        '--profile <name>',
        'answer as this provider: interface, coingecko-demo or coingecko-pro',
        'interface',
      )
      .option('--latency <ms>', 'delay of each answer', '0')
      .option(
        '--faults <preset|file>',
        `answer with faults on purpose: ${FAULT_PRESET_NAMES.join(', ')}, or a file that lists them (docs/faults.md)`,
      )
      .option('--fault-seed <n>', 'number that selects the failing requests', '1')
      .option('--log <file>', 'append each request as a JSON line; `-` is standard error')
  },
  async run(effects, _args, options) {
    const { serveUntilStopped } = await import('../serve/serve-until-stopped.ts')
    await serveUntilStopped(effects, options)
  },
}
