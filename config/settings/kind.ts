/** A value of a setting before it is parsed. Flags and the environment only have text. */
export type RawValue = string | number | boolean | readonly string[]

/** The origin of a value, as far as parsing depends on it. */
export interface Given {
  by: 'flag' | 'env' | 'file' | 'default'
  /** The folder for relative paths: that of the file, or the working folder. */
  dir: string
  env: Readonly<Record<string, string | undefined>>
}

export type Json = Record<string, unknown>

/** The form of a value in the file: its JSON Schema, and its check. */
export interface Form {
  json: Json
  /** The words of the message for a value of another form; null = the value fits. */
  misfitOf(value: unknown): string | null
}

/** A kind of values: their form in the file, their parser, and how they are shown. */
export interface Kind<T> extends Form {
  /** @throws BadValue */
  parse(value: RawValue, given: Given): T
  show(value: T): string
  /** Messages never show a value, not even a wrong one. */
  isSecret?: boolean
}

/** The error of a kind's parser. The reader adds the place of the value, so it never leaves `config/`. */
export class BadValue extends Error {
  readonly code: string
  readonly hint: string

  constructor(code: string, what: string, hint: string) {
    super(what)
    this.code = code
    this.hint = hint
  }
}
