import type { Column } from '../../datasets/dataset.ts'
import { columnComment, quoteName, quoteText } from '../../datasets/table/ddl.ts'

/** COMMENT statements of a table or view and all its columns. `target` is already quoted SQL. */
export function commentStatements(
  kind: 'TABLE' | 'VIEW',
  target: string,
  about: {
    description: string
    columns: readonly Column[]
  },
): string[] {
  return [
    `COMMENT ON ${kind} ${target} IS ${quoteText(about.description)}`,
    ...about.columns.map(
      (column) =>
        `COMMENT ON COLUMN ${target}.${quoteName(column.name)} IS ${quoteText(columnComment(column))}`,
    ),
  ]
}
