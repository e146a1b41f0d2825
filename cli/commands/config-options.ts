import type { Command } from 'commander'

/** The options of every command that reads coinlake.yaml. */
export function addConfigOption(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'the configuration file (default: coinlake.yaml, here or in the nearest folder above)',
    )
    .option(
      '-w, --warehouse <path>',
      'this warehouse folder instead of the configured one; query, tables, runs and dbt take its coinlake.duckdb, too',
    )
}

/** The option of commands that refuse to begin where the store is gone or an old copy. */
export function addAfreshOption(command: Command): Command {
  return command.option(
    '--afresh',
    'begin a new store where the old one is gone, or go on with an old copy (what it lacks is asked for again) or with another source',
  )
}

/** The option of commands that work on a warehouse. */
export function addLogOption(command: Command): Command {
  return command.option('--log <format>', 'what stderr says: text for people, or json lines')
}

/** Flags that say what to fetch; each overrides the file for all orders of the datasets it fits. */
export function addWantedOptions(command: Command): Command {
  command.option(
    '--dataset <names>',
    'only these datasets (csv), or one order of a dataset: market_chart/hourly',
  )
  return addChoiceOptions(command, '; one that the file has no order of is asked for this once')
}

/**
 * The flags that choose within a dataset.
 *
 * @param orderNote text for commands that take the orders of the file: it ends the help of `--granularity`
 */
export function addChoiceOptions(command: Command, orderNote = ''): Command {
  return command
    .option('--from <time>', 'start of histories, inclusive, UTC: 2020-01-01 or an ISO time')
    .option('--to <time>', 'end of histories, exclusive, UTC (default: up to now)')
    .option('--exchanges <ids>', 'exchange ids (csv)')
    .option('--derivative-exchanges <ids>', 'exchange ids of derivatives (csv)')
    .option('--tokens <tokens>', 'tokens (csv): platform_id/contract_address')
    .option('--queries <texts>', 'texts to search for (csv)')
    .option(
      '--coins <choice>',
      'coin ids (csv), or top:100 (by market cap), category:ID, all, inactive',
    )
    .option('--vs <currencies>', 'currencies (csv): usd,eur')
    .option(
      '--granularity <steps>',
      `${orderNote === '' ? 'steps' : 'only orders of these'} (csv): hourly, daily, 5m, 10m, 30m, 1h, 4h, 1d or 4d${orderNote}`,
    )
}
