import type { Column } from '../../datasets/dataset.ts'
import { columnComment, quoteName, quoteText } from '../../datasets/table/ddl.ts'

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
