import type { Command } from 'commander'
import { ConfigError } from '../../config/config-error.ts'

export function addLimitOption(command: Command, things: string, limit = 20): Command {
  return command.option('--limit <n>', `show at most this many ${things}`, String(limit))
}

/** The number of --limit. @throws ConfigError USAGE */
export function limitOf({ limit }: Readonly<Record<string, unknown>>): number {
  if (/^\d+$/.test(String(limit)) && Number.isSafeInteger(Number(limit))) return Number(limit)
  throw new ConfigError(`--limit ${JSON.stringify(limit)} is no whole number`, {
    code: 'USAGE',
    hint: 'Give --limit a number such as 20.',
  })
}
