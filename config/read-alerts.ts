import { readFileSync } from 'node:fs'
import { envReference } from './env-reference.ts'
import { parsePath } from './parse-path.ts'
import { parseIds, parseWord } from './parse-values.ts'
import type { ConfigDocument } from './schema.ts'
import { Secret } from './secret.ts'
import { BadValue, type SettingReader } from './setting-reader.ts'
import { ALERT_EVENTS } from './watch-schema.ts'
import type { AlertEvent, AlertsConfig, WatchingConfig } from './watching.ts'

type ReadAlerts = Pick<WatchingConfig, 'alerts' | 'alertsMissing'>

/**
 * The section `alerts`. An address that is named and not there is told as `alertsMissing` and is no
 * problem yet: only commands that work on the warehouse need it.
 */
export function readAlerts(
  reader: SettingReader,
  inFile: ConfigDocument['alerts'],
  baseDir: string,
): ReadAlerts {
  if (inFile === undefined) return { alerts: null, alertsMissing: null }
  let missing: string | null = null
  const url = readUrl(reader, inFile, baseDir, (why) => {
    missing ??= why
  })
  const argv = reader.read<readonly string[] | null>({
    path: ['alerts', 'command'],
    inFile: inFile.command,
    fallback: null,
    parse: (value) => [value].flat().map(String),
    show: (words) => words?.join(' ') ?? 'none',
  })
  const on = reader.read<readonly AlertEvent[]>({
    path: ['alerts', 'on'],
    inFile: inFile.on,
    fallback: ALERT_EVENTS,
    parse: (value) =>
      parseIds(value).map((word) => parseWord(word, ALERT_EVENTS, 'CONFIG_BAD_VALUE')),
    show: (events) => events.join(', '),
  })
  reportTargets(reader, inFile)
  if (url !== null) return { alerts: { target: { kind: 'webhook', url }, on }, alertsMissing: null }
  const target: AlertsConfig['target'] | null = argv === null ? null : { kind: 'command', argv }
  return { alerts: target === null ? null : { target, on }, alertsMissing: missing }
}

type AlertsInFile = NonNullable<ConfigDocument['alerts']>

function readUrl(
  reader: SettingReader,
  inFile: AlertsInFile,
  baseDir: string,
  onMissing: (why: string) => void,
): Secret | null {
  const show = (url: Secret | null): string => (url === null ? 'none' : String(url))
  if (inFile.webhook_file !== undefined) {
    return reader.read<Secret | null>({
      path: ['alerts', 'webhook_file'],
      inFile: inFile.webhook_file,
      fallback: null,
      show,
      parse: (value) => {
        const file = parsePath(value, baseDir)
        try {
          const text = readFileSync(file, 'utf8').trim()
          if (text !== '') return checkedUrl(text)
          onMissing(`${file} is empty`)
        } catch (error) {
          if (error instanceof BadValue) throw error
          onMissing(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
        }
        return null
      },
    })
  }
  return reader.read<Secret | null>({
    path: ['alerts', 'webhook'],
    inFile: inFile.webhook,
    fallback: null,
    show,
    parse: (value) => {
      const text = String(value).trim()
      const name = envReference(text)
      if (name === null) return checkedUrl(text)
      const found = reader.env[name]?.trim() ?? ''
      if (found !== '') return checkedUrl(found)
      onMissing(`env ${name} is ${reader.env[name] === undefined ? 'not set' : 'empty'}`)
      return null
    },
  })
}

/** Whoever knows the address may post there: no message shows it. */
function checkedUrl(text: string): Secret {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return new Secret(text)
  throw new BadValue(
    'CONFIG_BAD_URL',
    'is not a web address',
    'Write https://..., or ${NAME} alone for an environment variable that holds it.',
  )
}

/** One way to tell, and one only: two would tell everything twice. */
function reportTargets(reader: SettingReader, inFile: AlertsInFile): void {
  const named = (['webhook', 'webhook_file', 'command'] as const).filter(
    (key) => inFile[key] !== undefined,
  )
  const [first, second] = named
  if (second !== undefined) {
    reader.report({
      where: reader.whereOf(['alerts', second]),
      code: 'CONFIG_CONFLICT',
      what: `alerts.${first} and alerts.${second} are both there`,
      hint: 'Keep one of them.',
    })
  }
  // A wrong one was taken out, and told already.
  const isBroken = (['webhook', 'webhook_file', 'command'] as const).some((key) =>
    reader.isBroken(['alerts', key]),
  )
  if (first === undefined && !isBroken) {
    reader.report({
      where: reader.whereOf(['alerts']),
      code: 'CONFIG_NO_ALERT_TARGET',
      what: 'alerts does not say who is told',
      hint: 'Write `webhook: ${COINLAKE_ALERT_WEBHOOK}` or `command: [program, argument]`.',
    })
  }
}
