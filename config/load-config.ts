import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { NO_SOURCE } from './base-url.ts'
import { ConfigError } from './config-error.ts'
import type { ConfigFlags } from './config-flags.ts'
import { throwIfAny } from './config-problem.ts'
import type { Config } from './config.ts'
import type { DatasetShape } from './dataset-shape.ts'
import type { LakeConfig } from './lake.ts'
import { checkStructure } from './settings/check-structure.ts'
import { extensionDirOf } from './settings/place-kinds.ts'
import { readDatasets } from './settings/read-datasets.ts'
import { readSchedules } from './settings/read-schedules.ts'
import { readSource } from './settings/read-source.ts'
import { readWatching } from './settings/read-watching.ts'
import { createSettingReader, type SettingReader } from './settings/setting-reader.ts'
import { lakeRows, parquetRows, placeRows, publishRows, stageRows } from './settings/table.ts'
import { parseYamlSource, type ConfigPath } from './settings/yaml-source.ts'

/** The configuration file when none is named. */
export const DEFAULT_CONFIG_FILE = 'coinlake.yaml'

export interface LoadConfigInput {
  /** The file as the user named it, which messages repeat. */
  file: string
  flags?: ConfigFlags
  env: Readonly<Record<string, string | undefined>>
  /** All datasets, such as the definitions in `datasets/`. */
  datasets: readonly DatasetShape[]
  /** Folder for relative paths in flags and environment. Default: that of the process. */
  cwd?: string
}

/**
 * Reads coinlake.yaml, environment and flags. A flag comes before the environment, then the file, then
 * the default. Each value keeps its origin.
 *
 * @throws ConfigError CONFIG_NOT_FOUND or CONFIG_UNREADABLE for the file itself
 * @throws InvalidConfigError with all problems of the configuration
 */
export function loadConfig(input: LoadConfigInput): Config {
  const cwd = input.cwd ?? process.cwd()
  return parseConfig(input, readConfigFile(input.file, cwd))
}

/**
 * A configuration without orders and source, for commands that only read the warehouse. Its `file` is
 * `no coinlake.yaml`, so that a message can say `there is no coinlake.yaml`.
 */
export function configWithoutFile(input: LoadConfigInput): Config {
  return parseConfig({ ...input, file: `no ${input.file}` }, `source: { base_url: "${NO_SOURCE}" }`)
}

/** The configuration of a text that is in no file yet. */
export function parseConfig(input: LoadConfigInput, text: string): Config {
  const { file, flags = {}, env, cwd = process.cwd() } = input
  const { source, problems } = parseYamlSource(file, text)
  throwIfAny(problems)
  const places = { fileDir: dirname(resolve(cwd, file)), cwd }
  const checked = checkStructure(source)
  const reader = createSettingReader(source, checked, { flags, env, ...places })
  if (flags.warehouse !== undefined) refuseConfiguredPlaces(reader)
  const lake = readLake(reader)
  const settings = {
    source: readSource(reader),
    // Readers of a lake need no publication, because they meet no lock there.
    ...reader.readAll(placeRows, [], lake === null ? {} : { sinks: { fallback: [] } }),
    lake,
    stage: reader.readAll(stageRows, ['stage']),
    publish: reader.readAll(publishRows, ['publish']),
    parquet: reader.readAll(parquetRows, ['parquet']),
  }
  const { datasets, labels, notes } = readDatasets(reader, input.datasets)
  const config: Config = {
    file,
    ...settings,
    datasets,
    notes,
    schedules: readSchedules(reader, labels),
    ...readWatching(reader, labels),
    settings: reader.settings,
  }
  throwIfAny(reader.problems)
  return lake === null ? config : withoutDuckdbSink(config)
}

/** A warehouse that a flag names must not use the places that the file gives to its own one. */
function refuseConfiguredPlaces(reader: SettingReader): void {
  const outside: ConfigPath[] = [
    ['store', 'ducklake'],
    ['stage', 'at'],
    ['parquet', 'at'],
  ]
  for (const path of outside.filter((one) => reader.inFile(one) !== undefined)) {
    reader.report({
      where: reader.source.whereKey(path),
      code: 'CONFIG_CONFLICT',
      what: `${path.join('.')} is the place of the configured warehouse, and --warehouse names another one`,
      hint: 'Name a configuration of that warehouse with -c, or run the command in a folder without one.',
    })
  }
}

/** The section `store`; null = the DuckDB file of the warehouse. */
function readLake(reader: SettingReader): LakeConfig | null {
  const path = ['store', 'ducklake']
  if (reader.inFile(path) === undefined) return null
  const { catalog, data } = reader.readAll(lakeRows, path)
  return { catalog: catalog ?? '', data: data ?? '', extensionDir: extensionDirOf(reader.env) }
}

/** Removes the sink duckdb, because its publication is a copy of the store's file, which a lake lacks. */
function withoutDuckdbSink(config: Config): Config {
  if (!config.sinks.includes('duckdb')) return config
  const note =
    'sinks: duckdb is left out, because a lake has no file to copy; readers open the lake itself. A later version will refuse it.'
  const sinks = config.sinks.filter((name) => name !== 'duckdb')
  return { ...config, sinks, notes: [...config.notes, note] }
}

const SHELL_PIPE_PATTERN = /^\/(?:dev|proc\/self)\/(?:fd\/\d+|stdin)$/

function readConfigFile(file: string, cwd: string): string {
  const facts = { code: 'CONFIG_UNREADABLE', hint: 'Name a readable text file with -c.' }
  let bytes: Uint8Array
  try {
    const path = resolve(cwd, file)
    const found = statSync(path)
    // A device or a named pipe may never end; a shell's `<(...)` does.
    if (!found.isFile() && !found.isDirectory() && !SHELL_PIPE_PATTERN.test(path)) {
      throw new ConfigError(`${file} is no regular file`, facts)
    }
    bytes = readFileSync(path)
  } catch (error) {
    if (error instanceof ConfigError) throw error
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
