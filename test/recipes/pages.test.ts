import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from '../docs/page-text.ts'
import { RECIPES, recipeIndex, recipePages, recipeQuestion } from './recipe-pages.ts'
import { recipeSteps } from './recipe-steps.ts'
import { rowsMissingIn } from './rows-in-output.ts'

// The commands themselves are run by `npm run recipes`; this holds what the pages say of them together.

const recipes = recipePages()
/** People read differences of it. */
const NOTEBOOK_BYTES = 150_000

/** The rows of the answer as the DuckDB CLI draws them; every other page was recorded on the same market. */
function answer(): string[][] {
  const cli = recipes.find(({ name }) => name === 'duckdb-cli')!
  const rows = recipeSteps(cli.page).flatMap(({ shown }) => shown?.match(/^│ \d{4}-.*$/gm) ?? [])
  return rows.map((row) =>
    row
      .split('│')
      .slice(1, -1)
      .map((value) => value.trim()),
  )
}

test('the index links to every page', () => {
  const files = readdirSync(join(REPOSITORY, RECIPES)).filter((name) => name.endsWith('.md'))
  expect(recipes.map(({ name }) => `${name}.md`).sort()).toEqual(
    files.filter((name) => name !== 'README.md').sort(),
  )
  expect(recipeQuestion()).toContain('daily_prices')
  expect(recipeIndex().file).toBe('docs/recipes/README.md')
})

test('the DuckDB CLI asks the question of the index, word for word', () => {
  const cli = recipes.find(({ name }) => name === 'duckdb-cli')!
  expect(recipeSteps(cli.page).map(({ commands }) => commands)).toContainEqual(
    expect.stringContaining(recipeQuestion().trim()),
  )
  expect(answer()).toHaveLength(4)
})

describe.each(recipes.map(({ name, page }) => [name, page] as const))('%s', (name, page) => {
  const steps = recipeSteps(page)
  const shown = steps.flatMap(({ shown }) => shown ?? [])

  test('installs pinned versions and shows what was printed', () => {
    expect(steps[0]?.commands).toMatch(/==\d|:\d/)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown).not.toContain('')
  })

  test('shows the same answer as every other page', () => {
    expect(rowsMissingIn(shown.join('\n'), answer())).toEqual([])
  })

  test('names no place of the machine on which it was recorded', () => {
    const text = readFileSync(join(REPOSITORY, page.file), 'utf8')
    expect(text).not.toMatch(/\/(?:root|home|tmp|work)\//)
  })

  test('links to each of its files', () => {
    const folder = join(REPOSITORY, RECIPES, name)
    if (!existsSync(folder)) return
    const targets = page.links.map(({ target }) => target)
    const isNamed = (file: string): boolean =>
      targets.some((target) => target === `${name}/${file}` || target === name)
    expect(readdirSync(folder).filter((file) => !isNamed(file))).toEqual([])
  })
})

test('a notebook shows all that it showed, small, and the same answer', () => {
  const files = readdirSync(join(REPOSITORY, RECIPES), { recursive: true, encoding: 'utf8' })
  const notebooks = files.filter((name) => name.endsWith('.ipynb'))
  expect(notebooks.length).toBeGreaterThan(0)
  for (const name of notebooks) {
    const text = readFileSync(join(REPOSITORY, RECIPES, name), 'utf8')
    expect(text.length, name).toBeLessThan(NOTEBOOK_BYTES)
    const { cells } = JSON.parse(text) as { cells: Cell[] }
    const code = cells.filter(({ cell_type }) => cell_type === 'code')
    expect(code.map(({ execution_count }) => execution_count)).toEqual(code.map((_, at) => at + 1))
    const outputs = code.flatMap(({ outputs }) => outputs)
    expect(outputs.filter(({ output_type }) => output_type === 'error')).toEqual([])
    const shown = outputs.flatMap(({ data }) => data?.['text/plain'] ?? []).join('')
    expect(rowsMissingIn(shown, answer())).toEqual([])
    expect(text).not.toMatch(/\/(?:root|home|tmp|work)\//)
  }
})

interface Cell {
  cell_type: string
  execution_count: number | null
  outputs: { output_type: string; data?: Record<string, string[]> }[]
}
