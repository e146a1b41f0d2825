import type { Setting } from './config.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { ConfigPath, YamlSource } from './yaml-source.ts'

/** Thrown by a parser of one value; the reader adds where the value stands. Never leaves `config/`. */
export class BadValue extends Error {
  readonly code: string
  readonly hint: string

  constructor(code: string, what: string, hint: string) {
    super(what)
    this.code = code
    this.hint = hint
  }
}

/** What a setting may be before it is understood. Flags and the environment only have text. */
export type RawValue = string | number | readonly string[]

/** How one setting is found and understood, in the order of precedence. */
export interface SettingSpec<T> {
  /** Where the file has it. */
  path: ConfigPath
  /** The name that messages use; absent = its path. */
  name?: string
  flag?: { name: string; value: string | undefined } | undefined
  env?: string
  inFile: RawValue | undefined
  fallback: T
  /** @throws BadValue */
  parse(value: RawValue, givenBy: 'flag' | 'env' | 'file'): T
  /** As `config show` prints it. */
  show(value: T): string
}

/** Reads settings one by one, keeps what was found and where, and collects what is wrong. */
export interface SettingReader {
  read<T>(spec: SettingSpec<T>): T
  /** Where a setting that was read stands, for messages: `flag --from`, `coinlake.yaml:6:30`, `default`. */
  whereOf(path: ConfigPath): string
  isBroken(path: ConfigPath): boolean
  report(problem: ConfigProblem): void
  readonly settings: Record<string, Setting>
  readonly problems: ConfigProblem[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** @param broken paths that the structure check took out: no more is said about them. */
export function createSettingReader(
  source: YamlSource,
  broken: ReadonlySet<string>,
  env: Readonly<Record<string, string | undefined>>,
): SettingReader {
  const settings: Record<string, Setting> = {}
  const problems: ConfigProblem[] = []
  const places = new Map<string, string>()
  const isBroken = (path: ConfigPath): boolean =>
    broken.has('') || path.some((_, depth) => broken.has(path.slice(0, depth + 1).join('.')))

  const find = <T>(spec: SettingSpec<T>): Found | null => {
    const { flag, env: envName, inFile } = spec
    if (flag?.value !== undefined) {
      const where = `flag --${flag.name}`
      return { value: flag.value, givenBy: 'flag', where, origin: where }
    }
    const fromEnv = envName === undefined ? undefined : env[envName]
    if (fromEnv !== undefined && fromEnv !== '') {
      const where = `env ${envName}`
      return { value: fromEnv, givenBy: 'env', where, origin: where }
    }
    if (inFile === undefined) return null
    const [where, origin] = [source.whereValue(spec.path), source.originOf(spec.path)]
    return { value: inFile, givenBy: 'file', where, origin }
  }

  return {
    settings,
    problems,
    env,
    isBroken,
    whereOf: (path) => places.get(path.join('.')) ?? source.whereValue(path),
    report: (problem) => void problems.push(problem),
    read(spec) {
      const { name = spec.path.join('.') } = spec
      const found = find(spec)
      if (found === null) {
        settings[name] = { value: spec.show(spec.fallback), origin: 'default' }
        return spec.fallback
      }
      places.set(spec.path.join('.'), found.where)
      try {
        const value = spec.parse(found.value, found.givenBy)
        settings[name] = { value: spec.show(value), origin: found.origin }
        return value
      } catch (error) {
        if (!(error instanceof BadValue)) throw error
        const { code, hint } = error
        // A flag is one value for all datasets it fits, not that of the one that is read just now.
        const isShared = found.givenBy === 'flag' && spec.path[0] === 'datasets'
        const what = `${isShared ? 'the value' : name} ${error.message}`
        problems.push({ where: found.where, code, what, hint })
        return spec.fallback
      }
    },
  }
}

interface Found {
  value: RawValue
  givenBy: 'flag' | 'env' | 'file'
  where: string
  origin: string
}
