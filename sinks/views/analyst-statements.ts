import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { analystMacros, analystViews } from './analyst-views.ts'
import { viewStatements } from './view-statements.ts'

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
