import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkStructure } from './check-structure.ts'
import { ConfigError } from './config-error.ts'
import type { ConfigFlags } from './config-flags.ts'
import { throwIfAny } from './config-problem.ts'
import type { Config, SinkName } from './config.ts'
import type { DatasetShape } from './dataset-shape.ts'
import { formatDuration } from './duration.ts'
import { parsePath } from './parse-path.ts'
import { parseDuration, parseIds, parseText, parseWord } from './parse-values.ts'
import { readDatasets } from './read-datasets.ts'
import { parsePlace, readLake } from './read-lake.ts'
import { readParquet } from './read-parquet.ts'
import { readSchedules } from './read-schedules.ts'
import { readSource } from './read-source.ts'
import { readWatching } from './read-watching.ts'
import { BadValue, createSettingReader, type RawValue } from './setting-reader.ts'
import { parseYamlSource } from './yaml-source.ts'

/** The file commands look for when none is named. */
export const DEFAULT_CONFIG_FILE = 'coinlake.yaml'

/** `publish.every: end`. */
const AT_END = 'end'
/** Readers of a backfill of days need not wait for its end, and a small one publishes once. */
const DEFAULT_PUBLISH_EVERY_MS = 15 * 60_000

const SINKS: readonly SinkName[] = ['duckdb', 'parquet']

export interface LoadConfigInput {
  /** As the user named it; messages repeat it. */
  file: string
  flags?: ConfigFlags
  env: Readonly<Record<string, string | undefined>>
  /** The datasets that exist; definitions of `datasets/` fit as they are. */
  datasets: readonly DatasetShape[]
  /** Paths in flags and environment are relative to this; default: the process's own. */
  cwd?: string
}

/**
 * Reads coinlake.yaml and lays the environment and the flags over it: flag, env, file, default, in
 * this order. Each value knows where it came from.
 *
 * @throws ConfigError CONFIG_NOT_FOUND or CONFIG_UNREADABLE for the file itself
 * @throws InvalidConfigError with everything that is wrong inside
 */
export function loadConfig(input: LoadConfigInput): Config {
  const cwd = input.cwd ?? process.cwd()
  return parseConfig(input, readConfigFile(input.file, cwd))
}

/** The same for a text that is not on disk (yet). */
export function parseConfig(input: LoadConfigInput, text: string): Config {
  const { file, flags = {}, env } = input
  const cwd = input.cwd ?? process.cwd()
  const baseDir = dirname(resolve(cwd, file))
  const { source, problems } = parseYamlSource(file, text)
  throwIfAny(problems)
  const { document, problems: wrong, broken } = checkStructure(source)
  const reader = createSettingReader(source, broken, env)
  const lake = readLake(reader, document, baseDir)
  const readWanted = () => {
    const { datasets, known, notes } = readDatasets(reader, source, document, flags, input.datasets)
    const schedules = readSchedules(reader, source, document, known)
    const watching = readWatching(reader, source, { document, flags, baseDir, known })
    return { datasets, notes, schedules, ...watching }
  }
  const config: Config = {
    file,
    source: readSource(reader, document, flags, baseDir),
    warehouseDir: reader.read({
      path: ['warehouse'],
      flag: { name: 'warehouse', value: flags.warehouse },
      env: 'COINLAKE_WAREHOUSE',
      inFile: document.warehouse,
      fallback: join(baseDir, 'warehouse'),
      parse: (value, givenBy) => parsePath(value, givenBy === 'file' ? baseDir : cwd),
      show: String,
    }),
    sinks: reader.read<readonly SinkName[]>({
      path: ['sinks'],
      inFile: document.sinks,
      // Readers of a lake need no copy of it: they meet no lock there.
      fallback: lake === null ? SINKS : [],
      parse: (value) =>
        parseIds(value).map((name) => parseWord(name, SINKS, 'CONFIG_UNKNOWN_SINK')),
      show: (names) => names.join(', ') || 'none',
    }),
    lake,
    stageAt: reader.read<string | null>({
      path: ['stage', 'at'],
      inFile: document.stage?.at,
      fallback: null,
      parse: (value) => parsePlace(value, baseDir),
      show: (place) => place ?? 'in the warehouse',
    }),
    stageKeep: reader.read<Config['stageKeep']>({
      path: ['stage', 'keep'],
      inFile: document.stage?.keep,
      // Asking again costs calls of a metered key; the disk costs next to nothing.
      fallback: 'forever',
      parse: parseKeep,
      show: (keep) => (typeof keep === 'number' ? formatDuration(keep) : keep),
    }),
    ...readParquet(reader, document),
    publishEveryMs: reader.read<number | null>({
      path: ['publish', 'every'],
      inFile: document.publish?.every,
      fallback: DEFAULT_PUBLISH_EVERY_MS,
      parse: parsePublishEvery,
      show: (everyMs) => (everyMs === null ? AT_END : formatDuration(everyMs)),
    }),
    ...readWanted(),
    settings: reader.settings,
  }
  throwIfAny([...wrong, ...reader.problems])
  return lake === null ? config : withoutCopy(config)
}

/** A DuckDB file is published as a copy of the store's file, and a lake has none. */
function withoutCopy(config: Config): Config {
  if (!config.sinks.includes('duckdb')) return config
  const note =
    'sinks: duckdb is left out, as a lake has no file that could be copied; readers open the lake. A later version refuses it.'
  const sinks = config.sinks.filter((name) => name !== 'duckdb')
  return { ...config, sinks, notes: [...config.notes, note] }
}

function readConfigFile(file: string, cwd: string): string {
  const facts = { code: 'CONFIG_UNREADABLE', hint: 'Name a readable text file with -c.' }
  let bytes: Uint8Array
  try {
    bytes = readFileSync(resolve(cwd, file))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') {
      throw new ConfigError(`there is no configuration file ${file}`, {
        code: 'CONFIG_NOT_FOUND',
        hint: 'Write one with `coinlake init`, or name another with -c.',
        cause: error,
      })
    }
    throw new ConfigError(`cannot read ${file} (${code})`, { ...facts, cause: error })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ConfigError(`${file} is not UTF-8 text`, { ...facts, cause: error })
  }
}

function parsePublishEvery(value: RawValue): number | null {
  const text = parseText(value)
  return text === AT_END ? null : durationOr([AT_END], text, '15m')
}

function parseKeep(value: RawValue): Config['stageKeep'] {
  const text = parseText(value)
  return text === 'forever' || text === 'none' ? text : durationOr(['forever', 'none'], text, '30d')
}

/** A duration where some words would do as well. @throws BadValue */
function durationOr(words: readonly string[], text: string, example: string): number {
  try {
    return parseDuration(text)
  } catch {
    const all = words.join(', ')
    throw new BadValue(
      'CONFIG_BAD_DURATION',
      `is neither ${all} nor a duration: ${JSON.stringify(text)}`,
      `Write ${all}, or a duration such as ${example}.`,
    )
  }
}
