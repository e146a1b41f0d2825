import type { Page } from '../docs/page-text.ts'

/** Commands that a recipe shows, with what they are said to print. */
export interface RecipeStep {
  /** Where the block begins: `docs/recipes/dbt.md:12`. */
  where: string
  /** For bash. */
  commands: string
  /** The output as the page shows it; null where it shows none. */
  shown: string | null
  /** Line of the fence above `shown`, from 1; null like it. */
  shownLine: number | null
}

/** How a block of a language is run: as it is, or as a program of its own. */
const AS_COMMANDS: Readonly<Record<string, (text: string) => string>> = {
  sh: (text) => text,
  python: (text) => `python - <<'END_OF_BLOCK'\n${text}END_OF_BLOCK\n`,
}

/**
 * The steps of a recipe in order: every block of `sh` or `python`, and the block of `text` that follows
 * it as its output. Blocks of other languages are for reading only.
 */
export function recipeSteps({ code }: Page): RecipeStep[] {
  const blocks = code.filter(({ language }) => language !== null)
  return blocks.flatMap(({ language, where, text }, index) => {
    const commands = AS_COMMANDS[language ?? '']?.(text)
    if (commands === undefined) return []
    const next = blocks[index + 1]
    const output = next?.language === 'text' ? next : null
    const shownLine = output === null ? null : Number(output.where.split(':').at(-1))
    return [{ where, commands, shown: output?.text ?? null, shownLine }]
  })
}
