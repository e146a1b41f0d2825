import type { Command } from 'commander'
import { datasets } from '../../datasets/index.ts'

export interface VerbWords {
  name: string
  summary: string
  /** Words that an argument may be; [] = any text, or files. */
  words: readonly string[]
  options: readonly OptionWords[]
}

export interface OptionWords {
  /** With its dashes. */
  long: string
  /** With its dash; null = it has none. */
  short: string | null
  text: string
  takesValue: boolean
  /** Values it may have; [] = any. */
  values: readonly string[]
}

/** Verbs whose argument names a dataset. */
const DATASET_VERBS: readonly string[] = ['datasets', 'get']

export function knownWords(program: Command): VerbWords[] {
  const names = datasets.map(({ name }) => name)
  return program.commands.map((command) => {
    const [argument] = command.registeredArguments
    const isDataset = DATASET_VERBS.includes(command.name())
    return {
      name: command.name(),
      summary: command.description(),
      words: argument?.argChoices ?? (isDataset ? names : []),
      options: command.options.map((option) => ({
        long: option.long!,
        short: option.short ?? null,
        text: option.description,
        takesValue: option.required || option.optional,
        values: option.argChoices ?? (option.long === '--dataset' ? names : []),
      })),
    }
  })
}
