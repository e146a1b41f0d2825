import { Option } from 'commander'
import type { CliCommand } from '../command.ts'
import { FORMATS } from '../query/formats.ts'
import { addConfigOption } from './config-options.ts'

export const query: CliCommand = {
  name: 'query',
  group: 'Look',
  summary: 'ask the warehouse with SQL; as a table, JSON, CSV or Parquet',
  examples: {
    'coinlake query "select * from daily_prices order by as_of desc limit 10"':
      'the newest daily prices as a table',
    'coinlake query "from market_chart" -o market_chart.parquet':
      'a whole table as a file; its ending chooses the format',
    'coinlake query - --json < report.sql | jq length': 'SQL from standard input, rows as JSON',
  },
  configure(command) {
    command.argument('[sql]', 'the SQL; `-` or nothing reads it from standard input')
    addConfigOption(command)
      .addOption(
        new Option(
          '-f, --format <format>',
          'the format (default: by the ending of -o, else a table on a terminal and CSV in a pipe)',
        ).choices(FORMATS),
      )
      .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
      .option('-o, --output <file>', 'write to this file; `-` is standard output', '-')
      .option(
        '--tz <zone>',
        'time zone of the session, for TIMESTAMPTZ; `SET TimeZone` in the SQL does the same',
        'UTC',
      )
      .option(
        '--allow-dir <dir>',
        'a folder whose files (CSV, Parquet, JSON) the SQL may also read; repeatable',
        (dir: string, dirs: string[]) => [...dirs, dir],
        [],
      )
      .option('--all', 'show every row of a table, not only the first 40')
      .option(
        '--safe-csv',
        "CSV for a spreadsheet: a ' before each text that it would run as a formula",
      )
  },
  async run(effects, args, options) {
    const { runQuery } = await import('../query/run-query.ts')
    await runQuery(effects, args[0], options)
  },
}
