import { quoteName, quoteText, columnComment } from '../../datasets/table/ddl.ts'
import { analystMacros, analystViews } from '../views/analyst-views.ts'
import type { Column } from '../../datasets/dataset.ts'

/** A view with its comments. @param relation its name as SQL */
export function viewStatements(
  relation: string,
  sql: string,
  { description, columns }: { description: string; columns: readonly Column[] },
): string[] {
  return [
    `CREATE OR REPLACE VIEW ${relation} AS ${sql}`,
    `COMMENT ON VIEW ${relation} IS ${quoteText(description)}`,
    ...columns.map(
      (column) =>
        `COMMENT ON COLUMN ${relation}.${quoteName(column.name)} IS ${quoteText(columnComment(column))}`,
    ),
  ]
}

/** All analyst views and macros whose tables exist, with their comments. */
export function analystStatements(tableNames: ReadonlySet<string>): string[] {
  const isMade = ({ needs }: { needs: readonly string[] }): boolean =>
    needs.every((name) => tableNames.has(name))
  return [
    ...analystViews
      .filter(isMade)
      .flatMap((view) => viewStatements(quoteName(view.name), view.sql, view)),
    ...analystMacros
      .filter(isMade)
      .flatMap(({ name, parameters, sql, description }) => [
        `CREATE OR REPLACE MACRO ${quoteName(name)}(${parameters}) AS TABLE ${sql}`,
        `COMMENT ON MACRO TABLE ${quoteName(name)} IS ${quoteText(description)}`,
      ]),
  ]
}
