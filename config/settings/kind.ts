import type { ConfigPath } from './yaml-source.ts'

/** A value of a setting before it is understood. Flags and the environment only have text. */
export type RawValue = string | number | boolean | readonly string[]

/** Where a value came from, as far as its meaning hangs on that. */
export interface Given {
  by: 'flag' | 'env' | 'file' | 'default'
  /** Relative paths count from here: the folder of the file, or the working folder. */
  dir: string
  env: Readonly<Record<string, string | undefined>>
}

/** The fault in how a value is written, and the item of a list where it is. */
export interface Misfit {
  at: ConfigPath
  what: string
}

export type Json = Record<string, unknown>

/** How values of a setting are written in the file. */
export interface Form {
  /** The form as JSON Schema. */
  json: Json
  misfitOf(value: unknown): Misfit | null
}

/** The values of a setting: how they are written, what they mean, how they are shown. */
export interface Kind<T> extends Form {
  /** @throws BadValue */
  parse(value: RawValue, given: Given): T
  show(value: T): string
  /** No message shows a value, not even a wrong one. */
  isSecret?: boolean
}

/** Thrown by a kind; the reader adds where the value stands. Never leaves `config/`. */
export class BadValue extends Error {
  readonly code: string
  readonly hint: string

  constructor(code: string, what: string, hint: string) {
    super(what)
    this.code = code
    this.hint = hint
  }
}

/** A map that was parsed from YAML. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
