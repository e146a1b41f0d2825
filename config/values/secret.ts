const SHOWN = '[secret]'

/**
 * A value that no log, report, history or error shows by accident, because text, JSON and inspection all
 * give `[secret]`. Only `reveal()` gives the value, so its uses are easy to find.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN
  }
}
