import { type Page, readPage } from '../docs/page-text.ts'

/** Where the recipes are, from the repository. */
export const RECIPES = 'docs/recipes'

export interface RecipePage {
  /** `dbt` for docs/recipes/dbt.md. */
  name: string
  page: Page
}

/** The page that names the recipes, and asks the question that each of them answers. */
export function recipeIndex(): Page {
  return readPage(`${RECIPES}/README.md`)
}

/** Every recipe, in the order in which the index links to them. */
export function recipePages(): RecipePage[] {
  const names = recipeIndex().links.flatMap(
    ({ target }) => /^([\w-]+)\.md$/.exec(target)?.[1] ?? [],
  )
  return [...new Set(names)].map((name) => ({ name, page: readPage(`${RECIPES}/${name}.md`) }))
}

/**
 * The SQL of the question that each recipe answers with its own means.
 *
 * @throws Error when the index shows no SQL
 */
export function recipeQuestion(): string {
  const sql = recipeIndex().code.find(({ language }) => language === 'sql')
  if (sql === undefined) throw new Error(`${RECIPES}/README.md shows no block of sql`)
  return sql.text
}
