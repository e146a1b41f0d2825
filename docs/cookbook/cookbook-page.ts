import type { Recipe } from './recipe.ts'

/** A recipe with what it answered on the sample warehouse. */
export interface AnsweredRecipe extends Recipe {
  columns: readonly string[]
  /** Values as text; null = NULL. */
  rows: readonly (readonly (string | null)[])[]
}

const HEAD = `# Cookbook

<!-- Written by test/docs/cookbook.test.ts, which runs every answer; renew it with
     npx vitest run test/docs/cookbook.test.ts -u -->

Questions to a warehouse, each with SQL and its answer. They run alike on the published file and on
the Parquet tree, in any session time zone:

\`\`\`
coinlake query "select ..."                       # or
duckdb -readonly warehouse/coinlake.duckdb        # or
cd warehouse/parquet && duckdb -init views.sql
\`\`\`

The answers below are of a simulated market, so the figures belong to nobody.
`

/** The text of docs/cookbook.md. */
export function cookbookPage(recipes: readonly AnsweredRecipe[]): string {
  const sections = recipes.map(
    ({ question, note, sql, columns, rows }, index) => `
## ${index + 1}. ${question}

${note}

\`\`\`sql
${sql};
\`\`\`

${tableOf([columns, columns.map(() => '---'), ...rows.map((row) => row.map(cell))])}
`,
  )
  return `${HEAD}${sections.join('')}`
}

function tableOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function cell(value: string | null): string {
  return value === null ? 'NULL' : value.replaceAll('|', '\\|')
}
