import type { ConfigFlags } from '../config-flags.ts'
import type { Kind, RawValue } from './kind.ts'

/** The facts of a setting besides its key and its kind. */
export interface Facts {
  /** The purpose. `coinlake init` writes its first sentence beside the key. */
  about: string
  /** The default, as in the file; absent = null. */
  default?: RawValue
  /** The default in words, when `default` cannot express it. */
  otherwise?: string
  /** The text of null in `config show`; absent = `otherwise`, else `none`. */
  none?: string
  /** The key excludes its neighbours or has further conditions, so `coinlake init` comments it out twice. */
  isAlternative?: boolean
  /** Example values, as in the file. A setting with a default needs none. */
  examples?: readonly RawValue[]
  flag?: Exclude<keyof ConfigFlags, 'datasets'>
  env?: string
  /** Whether a section must have the key. */
  isRequired?: boolean
}

/** A key of coinlake.yaml whose value is no map. */
export interface Setting<T> extends Kind<T>, Facts {
  key: string
}

/** Settings and sections, by the names that code has for them. */
export type Rows = Readonly<Record<string, Setting<unknown> | Section | NamedMap>>

/** A map of the file with fixed keys. */
export interface Section<R extends Rows = Rows> {
  key: string
  about: string
  /** The problem of a value that is no map. */
  form: string
  rows: R
}

/** A map of the file whose keys are names of the user's choice, or of datasets. */
export interface NamedMap {
  key: string
  about: string
  form: string
  /** The value behind each name. */
  each: Section | Setting<unknown>
  /** A name may also have a list of such maps. */
  mayBeList?: true
  example: string
}

export type Values<R> = { [K in keyof R]: R[K] extends Setting<infer T> ? T : never }

export function setting<T>(
  key: string,
  kind: Kind<T>,
  facts: Facts & { default: RawValue },
): Setting<T>
export function setting<T>(key: string, kind: Kind<T>, facts: Facts): Setting<T | null>
export function setting<T>(key: string, kind: Kind<T>, facts: Facts): Setting<T | null> {
  const nothing = facts.none ?? facts.otherwise ?? 'none'
  return {
    ...kind,
    ...facts,
    key,
    show: (value) => (value === null ? nothing : kind.show(value)),
  }
}

export function section<R extends Rows>(
  key: string,
  about: string,
  rows: R,
  form = 'must be a map of keys and values',
): Section<R> {
  return { key, about, form, rows }
}

export function isSection(row: Rows[string]): row is Section {
  return 'rows' in row
}

export function isNamedMap(row: Rows[string]): row is NamedMap {
  return 'each' in row
}

export function isRequired(row: Rows[string]): boolean {
  return 'isRequired' in row && row.isRequired
}

/** An example of a value, as in the file: the default if there is one. Of a section, all its keys. */
export function exampleOf(row: Rows[string]): unknown {
  if (isNamedMap(row)) return { [row.example]: exampleOf(row.each) }
  if (!isSection(row)) return row.default ?? row.examples?.[0]
  return Object.fromEntries(Object.values(row.rows).map((one) => [one.key, exampleOf(one)]))
}
