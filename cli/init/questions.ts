import { confirm, isCancel, log, multiselect, select, text } from '@clack/prompts'
import type { Effects } from '../effects.ts'

export class Cancelled extends Error {}

export interface Choice {
  value: string
  title: string
  cost: string
  hint?: string
}

/**
 * Questions on the terminal of these effects.
 *
 * @throws Cancelled from each of them after Ctrl-C, Esc, or the end of the input
 */
export class Questions {
  readonly #streams: { input: Effects['stdin']; output: Effects['stderr']; signal: AbortSignal }
  readonly #gone = new AbortController()

  constructor({ stdin, stderr }: Effects) {
    this.#streams = { input: stdin, output: stderr, signal: this.#gone.signal }
    // The prompts do not notice the end of the input, and would wait forever.
    stdin.on('end', this.#onEnd)
  }

  /** Stops listening to the input, because a listening process does not end. */
  close(): void {
    const { input } = this.#streams
    input.off('end', this.#onEnd)
    input.pause()
  }

  readonly #onEnd = (): void => this.#gone.abort()

  /** A text, checked at once; Enter accepts the proposed one. */
  async text(
    message: string,
    proposed: string,
    problemOf: (text: string) => string | undefined,
  ): Promise<string> {
    const validate = (value = ''): string | undefined =>
      value.trim() === '' ? undefined : problemOf(value)
    const shown = proposed === '' ? {} : { defaultValue: proposed, placeholder: proposed }
    const answer = await this.#until(text({ ...this.#streams, message, validate, ...shown }))
    return answer.trim() === '' ? proposed : answer
  }

  async one(message: string, choices: readonly Choice[], initialValue: string): Promise<string> {
    const options = optionsOf(choices)
    return await this.#until(select({ ...this.#streams, message, options, initialValue }))
  }

  async several(
    message: string,
    choices: readonly Choice[],
    initialValues: readonly string[],
  ): Promise<string[]> {
    const options = optionsOf(choices)
    return await this.#until(
      multiselect({ ...this.#streams, message, options, initialValues: [...initialValues] }),
    )
  }

  say(lines: string): void {
    log.info(lines, { output: this.#streams.output })
  }

  async yes(message: string): Promise<boolean> {
    return await this.#until(confirm({ ...this.#streams, message }))
  }

  async #until<T>(asked: Promise<T>): Promise<Exclude<T, symbol>> {
    const answer = await asked
    if (isCancel(answer)) throw new Cancelled()
    return answer as Exclude<T, symbol>
  }
}

function optionsOf(choices: readonly Choice[]) {
  const width = Math.max(...choices.map(({ title }) => title.length))
  return choices.map(({ value, title, cost, hint }) => ({
    value,
    label: cost === '' ? title : `${title.padEnd(width)}  ${cost}`,
    ...(hint === undefined ? {} : { hint }),
  }))
}
