import type { ConfigFlags } from './config-flags.ts'
import { didYouMean } from './did-you-mean.ts'
import { formatDuration } from './duration.ts'
import { parseDuration, parseWord } from './parse-values.ts'
import { readAlerts } from './read-alerts.ts'
import { readMetrics } from './read-metrics.ts'
import type { ConfigDocument } from './schema.ts'
import type { SettingReader } from './setting-reader.ts'
import { LOG_FORMATS, LOG_LEVELS } from './watch-schema.ts'
import type { LogConfig, WatchingConfig } from './watching.ts'
import type { YamlSource } from './yaml-source.ts'

const DAY_MS = 86_400_000
const LOG_KEEP_MS = 30 * DAY_MS

/**
 * The sections `freshness`, `alerts`, `metrics` and `log`.
 *
 * @param input.known datasets and orders that the file has
 */
export function readWatching(
  reader: SettingReader,
  source: YamlSource,
  {
    document,
    flags,
    baseDir,
    known,
  }: { document: ConfigDocument; flags: ConfigFlags; baseDir: string; known: readonly string[] },
): WatchingConfig {
  return {
    freshness: readFreshness(reader, source, document, known),
    ...readAlerts(reader, document.alerts, baseDir),
    metrics: readMetrics(reader, document.metrics),
    log: readLog(reader, document.log, flags),
  }
}

/** Targets of datasets and orders that are not in the file would never be looked at. */
function readFreshness(
  reader: SettingReader,
  source: YamlSource,
  document: ConfigDocument,
  known: readonly string[],
): Record<string, number> {
  const targets: Record<string, number> = {}
  for (const [name, inFile] of Object.entries(document.freshness ?? {})) {
    const path = ['freshness', name] as const
    if (!known.includes(name)) {
      const meant = didYouMean(name, known)
      reader.report({
        where: source.whereKey(path),
        code: 'CONFIG_UNKNOWN_DATASET',
        what: `freshness names a dataset or an order that is not under \`datasets:\`: ${JSON.stringify(name)}`,
        hint:
          meant === null
            ? `There are ${known.join(', ') || 'none'}.`
            : `Did you mean \`${meant}\`?`,
      })
      continue
    }
    targets[name] = reader.read<number>({
      path,
      inFile,
      fallback: DAY_MS,
      parse: parseDuration,
      show: formatDuration,
    })
  }
  return targets
}

function readLog(
  reader: SettingReader,
  inFile: ConfigDocument['log'],
  flags: ConfigFlags,
): LogConfig {
  return {
    format: reader.read<LogConfig['format']>({
      path: ['log', 'format'],
      flag: { name: 'log', value: flags.log },
      inFile: inFile?.format,
      fallback: 'text',
      parse: (value) => parseWord(value, LOG_FORMATS, 'CONFIG_BAD_VALUE'),
      show: String,
    }),
    level: reader.read<LogConfig['level']>({
      path: ['log', 'level'],
      inFile: inFile?.level,
      fallback: 'info',
      parse: (value) => parseWord(value, LOG_LEVELS, 'CONFIG_BAD_VALUE'),
      show: String,
    }),
    keepMs: reader.read<number>({
      path: ['log', 'keep'],
      inFile: inFile?.keep,
      fallback: LOG_KEEP_MS,
      parse: parseDuration,
      show: formatDuration,
    }),
  }
}
