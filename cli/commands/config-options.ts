import type { Command } from 'commander'
import { ConfigError } from '../../config/config-error.ts'
import type { Config } from '../../config/config.ts'
import type { Effects, Options } from '../effects.ts'

export function addConfigOption(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'the configuration file (default: coinlake.yaml, here or in the nearest folder above)',
    )
    .option(
      '-w, --warehouse <path>',
      'the warehouse folder, instead of the configured one; query, tables, runs and dbt also accept a coinlake.duckdb file',
    )
}

/**
 * The configuration of a command without `addWantedOptions`. A `--from` of its own, such as the folder of `restore`, is
 * left out.
 *
 * @throws ConfigError with all problems
 */
export async function configOf(
  effects: Effects,
  { config, warehouse, log }: Options,
): Promise<Config> {
  const { loadCliConfig } = await import('../run/load-cli-config.ts')
  return loadCliConfig(effects, { config, warehouse, log })
}

export function addAfreshOption(command: Command): Command {
  return command.option(
    '--afresh',
    'accept a store that is gone (a new one begins), an old copy of it (missing rows are fetched again), or another source',
  )
}

export function addLimitOption(command: Command, things: string, limit = 20): Command {
  return command.option('--limit <n>', `show at most this many ${things}`, String(limit))
}

/** @throws ConfigError USAGE */
export function limitOf({ limit }: Options): number {
  if (/^\d+$/.test(String(limit)) && Number.isSafeInteger(Number(limit))) return Number(limit)
  throw new ConfigError(`--limit ${JSON.stringify(limit)} is no whole number`, {
    code: 'USAGE',
    hint: 'Give --limit a number such as 20.',
  })
}

export function addLogOption(command: Command): Command {
  return command.option(
    '--log <format>',
    'form of the messages on stderr: text, or json (one log line each)',
  )
}

/** The csv of an option; one that is given again adds to it. */
export function joined(text: string, before?: string): string {
  return before === undefined ? text : `${before},${text}`
}

/** Flags that choose what to fetch. Each replaces a key of the file, for all datasets that take the key. */
export function addWantedOptions(command: Command, texts: { to?: string } = {}): Command {
  command.option(
    '--dataset <names>',
    'only these datasets (csv), or one order of a dataset: market_chart/hourly',
    joined,
  )
  return addChoiceOptions(command, {
    granularity: `only orders with these (csv): ${STEPS}; a step that no order has counts as an order of this command only`,
    ...texts,
  })
}

const STEPS = 'hourly, daily, 5m, 10m, 30m, 1h, 4h, 1d or 4d'

export function addChoiceOptions(
  command: Command,
  {
    from = 'start of histories, inclusive, UTC: 2020-01-01 or an ISO time',
    to = 'end of histories, exclusive, UTC (default: up to now)',
    granularity = '',
  } = {},
): Command {
  return command
    .option('--from <time>', from)
    .option('--to <time>', to)
    .option('--exchanges <ids>', 'exchange ids (csv)', joined)
    .option('--derivative-exchanges <ids>', 'exchange ids of derivatives (csv)', joined)
    .option('--tokens <tokens>', 'tokens (csv): platform_id/contract_address', joined)
    .option('--queries <texts>', 'texts to search for (csv)', joined)
    .option(
      '--coins <choice>',
      'coin ids (csv), or top:100 (by market cap), category:ID, all, inactive',
      joined,
    )
    .option('--vs <currencies>', 'currencies (csv): usd,eur', joined)
    .option('--granularity <steps>', granularity || `steps (csv): ${STEPS}`, joined)
}
