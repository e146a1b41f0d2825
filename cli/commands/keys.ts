import { Argument } from 'commander'
import { resolve } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import type { KeyRecord } from '../../service/callers/key-file.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson, printResult, say, type Effects, type Options } from '../effects.ts'
import { textOption } from '../run/choice-flags.ts'

/** The file of keys in the working folder, when --keys names none. */
export const DEFAULT_KEY_FILE = 'coinlake-keys.json'
const MAX_NAME_CHARS = 64

export const keys: CliCommand = {
  name: 'keys',
  group: 'Serve',
  summary: 'make, list and revoke the keys that `coinlake serve` accepts',
  examples: {
    'coinlake keys create alice --rate 100/1m':
      'prints a new key with its own limit; note it down, because the file keeps only its hash',
    'coinlake keys list': 'names, limits and dates; no key can be read back',
    'coinlake keys revoke alice': 'a service that runs refuses the key from then on',
  },
  configure(command) {
    command
      .addArgument(new Argument('<action>', 'the action').choices(['create', 'list', 'revoke']))
      .addArgument(new Argument('[name]', 'name of the key, or its id to revoke it'))
      .option('--keys <file>', 'the file of keys', DEFAULT_KEY_FILE)
      .option(
        '--rate <calls/window>',
        'create: limit of this key, 500/1m (default: that of the service)',
      )
      .option('--json', 'print as JSON')
  },
  async run(effects, [action, name], options) {
    const file = resolve(effects.cwd, String(options['keys']))
    const rate = textOption(options, 'rate') ?? null
    if (action !== 'create' && rate !== null) {
      throw keysError('--rate belongs to `keys create`', 'Leave it out.')
    }
    if (action === 'list') {
      if (name !== undefined) throw keysError('`keys list` takes no name', 'Leave it out.')
      return list(effects, file, options)
    }
    if (name === undefined || name.trim() === '') {
      throw keysError(`\`keys ${action}\` needs a name`, `Try \`coinlake keys ${action} alice\`.`)
    }
    return action === 'create'
      ? create(effects, file, { name, rate, isJson: options['json'] === true })
      : revoke(effects, file, name, options)
  },
}

async function create(
  effects: Effects,
  file: string,
  { name, rate, isJson }: { name: string; rate: string | null; isJson: boolean },
): Promise<void> {
  const { changeKeyFile } = await import('../../service/callers/key-file.ts')
  const { makeKey } = await import('../../service/callers/make-key.ts')
  const { parseQuota } = await import('../serve/serve-options.ts')
  if (rate !== null) parseQuota(rate)
  if (name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name)) {
    throw keysError(
      `a key cannot be called ${JSON.stringify(name)}`,
      `Take a name of at most ${MAX_NAME_CHARS} characters on one line.`,
    )
  }
  const { key, record } = makeKey(name, rate, effects.clock.nowMs())
  changeKeyFile(file, (records) => {
    if (records.some((other) => other.name === name && other.revoked_at === null)) {
      throw keysError(
        `there is a key called ${JSON.stringify(name)} in ${file}`,
        'Take another name, or revoke that key first.',
      )
    }
    return [...records, record]
  })
  if (isJson) printJson(effects, { ...shown(record), key }, 0)
  else print(effects, [key])
  say(effects, `key ${record.id} of ${JSON.stringify(name)} is in ${file}; it is not shown again`)
}

async function list(effects: Effects, file: string, options: Options): Promise<void> {
  const { readKeyFile } = await import('../../service/callers/key-file.ts')
  const { alignColumns } = await import('../render/align-columns.ts')
  const records = readKeyFile(file).map(shown)
  if (records.length === 0 && options['json'] !== true) {
    say(effects, `no keys in ${file}: make one with \`coinlake keys create <name>\``)
    return
  }
  printResult(effects, options, records, () => {
    const rows = records.map(({ id, name, rate, created_at, revoked_at }) => {
      return [id, name, rate ?? '-', created_at, revoked_at ?? '-']
    })
    return alignColumns(['id', 'name', 'rate', 'created', 'revoked'], rows)
  })
}

async function revoke(
  effects: Effects,
  file: string,
  name: string,
  options: Options,
): Promise<void> {
  const { changeKeyFile } = await import('../../service/callers/key-file.ts')
  const changed: object[] = []
  changeKeyFile(file, (records) => {
    const accepted = records.filter(({ revoked_at }) => revoked_at === null)
    // Names come first, because a key may be named like the id of another.
    const meant =
      accepted.find((key) => key.name === name) ?? accepted.find(({ id }) => id === name)
    if (meant === undefined) {
      throw keysError(
        `no accepted key is called ${JSON.stringify(name)} in ${file}`,
        'See `coinlake keys list`.',
      )
    }
    const revoked = { ...meant, revoked_at: new Date(effects.clock.nowMs()).toISOString() }
    changed.push(shown(revoked))
    return records.map((key) => (key === meant ? revoked : key))
  })
  if (options['json'] === true) printJson(effects, changed[0], 0)
  say(effects, `${JSON.stringify(name)} is revoked: services refuse it within a second`)
}

function shown({ id, name, rate, created_at, revoked_at }: KeyRecord): Omit<KeyRecord, 'sha256'> {
  return { id, name, rate, created_at, revoked_at }
}

function keysError(message: string, hint: string): ConfigError {
  return new ConfigError(message, { code: 'KEYS', hint })
}
