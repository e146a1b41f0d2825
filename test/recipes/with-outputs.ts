import type { RecipeStep } from './recipe-steps.ts'

/** A step whose output is not what its page shows. */
export interface OtherOutput {
  step: RecipeStep
  output: string
}

/** The text of a page with these outputs in the place of what it shows. */
export function withOutputs(page: string, others: readonly OtherOutput[]): string {
  const lines = page.split('\n')
  // From the end, so that the numbers of the lines above stay.
  for (const { step, output } of others.toReversed()) {
    if (step.shown === null || step.shownLine === null) continue
    const before = step.shown.split('\n').length - 1
    const after = output.trimEnd().split('\n')
    lines.splice(step.shownLine, before, ...after.map((line) => line.trimEnd()))
  }
  return lines.join('\n')
}
