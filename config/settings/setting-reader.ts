import type { ConfigFlags } from '../config-flags.ts'
import type { ConfigProblem } from '../config-problem.ts'
import { pathText, type ConfigPath, type YamlSource } from './yaml-source.ts'
import type { CheckedStructure } from './check-structure.ts'
import { isRecord } from '../values/is-record.ts'
import { BadValue, type Given, type Json, type RawValue } from './kind.ts'
import type { Facts, Setting, Values } from './setting.ts'

/** A value as `config show` prints it, and its origin: `flag --from`, `coinlake.yaml:12`, `default`. */
export interface ShownValue {
  value: string
  origin: string
}

export interface Flag {
  name: string
  value: string | undefined
}

/** Overrides of a setting's row in the settings table, for a setting that depends on others. */
export interface Override<T> {
  /** The name in messages; absent = the path. */
  name?: string
  /** null = the setting has no flag. */
  flag?: Flag | null
  /** Replaces the default. */
  fallback?: T
  parse?(value: RawValue, given: Given): T
  show?(value: T): string
}

type Settings = Readonly<Record<string, Setting<unknown>>>
type Overrides<R> = { [K in keyof R]?: Override<Values<R>[K]> }

/** Reads settings, keeps their values and origins, and collects problems. */
export interface SettingReader {
  /** @param section path of the section that the setting is in */
  read<T>(setting: Setting<T>, section: ConfigPath, override?: Override<T>): T
  /** All settings of a section, by the names that code has for them. */
  readAll<R extends Settings>(rows: R, section: ConfigPath, overrides?: Overrides<R>): Values<R>
  /** The value in the file; undefined = there is none, or a wrong one was removed. */
  inFile(path: ConfigPath): unknown
  /**
   * The place of a setting's value, for messages: `flag --from`, `env COINLAKE_BASE_URL`, `coinlake.yaml:6:30`. A default
   * has the place of the nearest section above it.
   */
  whereOf(path: ConfigPath): string
  /** Whether the value, or a section above it, was wrong and is reported already. */
  isBroken(path: ConfigPath): boolean
  report(problem: ConfigProblem): void
  /** Reports a section that has more than one of these keys. */
  reportConflict(section: string, keys: readonly string[], hint: string): void
  readonly source: YamlSource
  readonly flags: ConfigFlags
  readonly env: Given['env']
  readonly settings: Record<string, ShownValue>
  readonly problems: ConfigProblem[]
}

interface Input {
  flags: ConfigFlags
  env: Given['env']
  /** Absolute. */
  fileDir: string
  cwd: string
}

interface Found {
  value: RawValue
  by: Given['by']
  where: string
  /** Absent: the same as `where`. */
  origin?: string
}

export function createSettingReader(
  source: YamlSource,
  { document, problems }: CheckedStructure,
  { flags, env, fileDir, cwd }: Input,
): SettingReader {
  const settings: Record<string, ShownValue> = {}
  const places = new Map<string, string>()
  const inFile = (path: ConfigPath): unknown =>
    path.reduce<unknown>((node, part) => (node as Json | undefined)?.[part], document)

  const find = (setting: Setting<unknown>, path: ConfigPath, flag: Flag | null): Found | null => {
    if (flag?.value !== undefined) {
      return { value: flag.value, by: 'flag', where: `flag --${flag.name}` }
    }
    const fromEnv = setting.env === undefined ? undefined : env[setting.env]
    if (fromEnv !== undefined && fromEnv !== '') {
      return { value: fromEnv, by: 'env', where: `env ${setting.env}` }
    }
    const value = inFile(path) as RawValue | undefined
    if (value === undefined) return null
    return { value, by: 'file', where: source.whereValue(path), origin: source.originOf(path) }
  }

  const reader: SettingReader = {
    source,
    flags,
    env,
    settings,
    problems,
    inFile,
    isBroken(path) {
      // An empty section breaks none of its keys. A text or a list in place of a section breaks them all.
      const said = path.reduce<unknown>(
        (node, part) => (isRecord(node) ? node[part] : (node ?? undefined)),
        source.value,
      )
      return said !== undefined && inFile(path) === undefined
    },
    whereOf: (path) => places.get(pathText(path)) ?? source.whereValue(path),
    report: (problem) => void problems.push(problem),
    reportConflict(section, keys, hint) {
      const [first, second] = keys.filter((key) => inFile([section, key]) !== undefined)
      if (first === undefined || second === undefined) return
      problems.push({
        where: reader.whereOf([section, second]),
        code: 'CONFIG_CONFLICT',
        what: `${section}.${first} and ${section}.${second} are both there`,
        hint,
      })
    },
    readAll<R extends Settings>(rows: R, section: ConfigPath, overrides: Overrides<R> = {}) {
      const values = Object.entries(rows).map(([name, row]) => {
        const override: Override<unknown> | undefined = overrides[name]
        return [name, reader.read(row, section, override)]
      })
      return Object.fromEntries(values) as Values<R>
    },
    read<T>(setting: Setting<T>, section: ConfigPath, override: Override<T> = {}) {
      const path = [...section, setting.key]
      const { name = pathText(path), flag = flagOf(setting, flags), ...others } = override
      const { parse, show } = { ...setting, ...others }
      const read = (value: RawValue, by: Given['by']): T => {
        const dir = by === 'file' || by === 'default' ? fileDir : cwd
        return parse(value, { by, dir, env })
      }
      const byDefault = (): T => {
        if (override.fallback !== undefined) return override.fallback
        return setting.default === undefined ? (null as T) : read(setting.default, 'default')
      }
      const found = find(setting, path, flag)
      if (found === null) {
        const value = byDefault()
        settings[name] = { value: show(value), origin: 'default' }
        return value
      }
      places.set(pathText(path), found.where)
      try {
        const value = read(found.value, found.by)
        settings[name] = { value: show(value), origin: found.origin ?? found.where }
        return value
      } catch (error) {
        if (!(error instanceof BadValue)) throw error
        const { code, hint } = error
        // A flag's value is shared by all datasets that take it, so the message names none of them.
        const isShared = found.by === 'flag' && path[0] === 'datasets'
        const what = `${isShared ? 'the value' : name} ${error.message}`
        problems.push({ where: found.where, code, what, hint })
        return byDefault()
      }
    },
  }
  return reader
}

/** The flag of a setting; `baseUrl` is `--base-url`. */
export function flagOf({ flag }: Pick<Facts, 'flag'>, flags: ConfigFlags): Flag | null {
  if (flag === undefined) return null
  const name = flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return { name, value: flags[flag] }
}
