import { text as readText } from 'node:stream/consumers'
import { Option } from 'commander'
import type { CliCommand } from '../command.ts'
import { isStdinTerminal, type Effects } from '../effects.ts'
import { FORMATS, chooseFormat, wantsSafeCsv, lineWidth } from '../query/formats.ts'
import { QueryError } from '../query/query-error.ts'
import { allowedDirs, warehouseToRead } from '../query/warehouse-to-read.ts'
import { hasNoStatement } from '../query/split-statements.ts'
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
    const target = String(options['output'])
    const zone = String(options['tz'])
    const { instantFormatter } = await import('../query/instant-text.ts')
    const instant = instantFormatter(zone)
    const paths = await warehouseToRead(effects, options)
    const { requireOutside, writeOutput } = await import('../query/output.ts')
    requireOutside(paths, effects.cwd, target)
    const asked = options['json'] === true ? 'json' : options['format']
    const format = chooseFormat(effects, asked, target)
    const isSafe = wantsSafeCsv(options['safeCsv'], format)
    const sql = await sqlOf(effects, args[0])

    const dirs = allowedDirs(effects, options)
    const { parquetPlace, writeParquet } = await import('../query/write-parquet.ts')
    const { openPublished } = await import('../query/open-published.ts')
    const { stopSignal } = await import('../run/stop-signal.ts')
    const place = format === 'parquet' ? await parquetPlace(effects, target) : null
    const readable = { dirs, files: place === null ? [] : [place.path] }
    const { closingAfter } = await import('../run/closing-after.ts')
    await closingAfter(async (defer) => {
      if (place !== null) defer(place.remove)
      const publication = await openPublished(paths, zone, readable)
      defer(() => publication.close())
      const { connection } = publication
      const stop = stopSignal(effects)
      if (format === 'parquet') {
        stop.addEventListener('abort', () => connection.interrupt())
        await writeParquet(connection, sql, place!, target)
        return
      }
      const { streamQuery } = await import('../query/query-result.ts')
      const { writeCsv } = await import('../query/write-csv.ts')
      const { writeJson } = await import('../query/write-json.ts')
      const { writeTable } = await import('../query/write-table.ts')
      const result = await streamQuery(connection, sql, stop)
      const isAll = options['all'] === true
      const width = lineWidth(effects, target)
      const isTerminal = target === '-' && effects.isTerminal
      const inZone = result.zone === zone ? instant : instantFormatter(result.zone)
      const write = { csv: writeCsv, json: writeJson, table: writeTable }[format]
      const how = { instant: inZone, isAll, width, isSafe, isTerminal }
      await writeOutput(effects, target, (output) => write(effects, result, output, how))
    })
  },
}

async function sqlOf(effects: Effects, given: string | undefined): Promise<string> {
  const isRead = given === '-' || (given === undefined && !isStdinTerminal(effects))
  const sql = isRead ? await readText(effects.stdin) : (given ?? '')
  if (!hasNoStatement(sql)) return sql
  const { NO_SQL } = await import('../query/checked-statements.ts')
  throw new QueryError('there is no SQL to run', NO_SQL)
}
