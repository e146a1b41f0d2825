import { text as readText } from 'node:stream/consumers'
import { isStdinTerminal, type Effects, type Options } from '../effects.ts'
import { closingAfter } from '../run/closing-after.ts'
import { stopSignal } from '../run/stop-signal.ts'
import { NO_SQL } from './checked-statements.ts'
import { chooseFormat, lineWidth, wantsSafeCsv } from './formats.ts'
import { instantFormatter } from './instant-text.ts'
import { openPublished } from './open-published.ts'
import { requireOutside, writeOutput } from './output.ts'
import { QueryError } from './query-error.ts'
import { streamQuery } from './query-result.ts'
import { hasNoStatement } from './split-statements.ts'
import { allowedDirs, warehouseToRead } from './warehouse-to-read.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'
import { parquetPlace, writeParquet } from './write-parquet.ts'
import { writeTable } from './write-table.ts'

/**
 * Runs SQL over the publication of a warehouse, and writes the rows of its last statement.
 *
 * @param given the SQL; `-`, or undefined where standard input is no terminal = standard input has it
 * @param options those of `coinlake query`
 * @throws QueryError; SinkError OUTPUT_NOT_WRITABLE, NO_PUBLICATION; ConfigError for an option
 */
export async function runQuery(
  effects: Effects,
  given: string | undefined,
  options: Options,
): Promise<void> {
  const target = String(options['output'])
  const zone = String(options['tz'])
  const instant = instantFormatter(zone)
  const paths = await warehouseToRead(effects, options)
  requireOutside(paths, effects.cwd, target)
  const asked = options['json'] === true ? 'json' : options['format']
  const format = chooseFormat(effects, asked, target)
  const isSafe = wantsSafeCsv(options['safeCsv'], format)
  const sql = await sqlOf(effects, given)

  const dirs = allowedDirs(effects, options)
  const place = format === 'parquet' ? await parquetPlace(effects, target) : null
  const readable = { dirs, files: place === null ? [] : [place.path] }
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
    const result = await streamQuery(connection, sql, stop)
    const isAll = options['all'] === true
    const width = lineWidth(effects, target)
    const isTerminal = target === '-' && effects.isTerminal
    const inZone = result.zone === zone ? instant : instantFormatter(result.zone)
    const write = { csv: writeCsv, json: writeJson, table: writeTable }[format]
    const how = { instant: inZone, isAll, width, isSafe, isTerminal }
    await writeOutput(effects, target, (output) => write(effects, result, output, how))
  })
}

async function sqlOf(effects: Effects, given: string | undefined): Promise<string> {
  const isRead = given === '-' || (given === undefined && !isStdinTerminal(effects))
  const sql = isRead ? await readText(effects.stdin) : (given ?? '')
  if (hasNoStatement(sql)) throw new QueryError('there is no SQL to run', NO_SQL)
  return sql
}
