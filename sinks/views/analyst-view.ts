import type { Column, TableSpec } from '../../datasets/dataset.ts'

/**
 * A view that analysts use instead of remembering what the source does. Its SQL names tables as
 * `main.<table>`, never with a database: the published file may be attached under any name, and then
 * its views still find its tables (only a TEMP table of the reader can stand before them). No day or
 * hour may be cut in the session's time zone.
 */
export interface AnalystView {
  name: string
  description: string
  /** Tables that must be published for the view to exist. */
  needs: readonly string[]
  /** In order. */
  columns: readonly Column[]
  /** The table whose newest rows it shows. */
  snapshot?: TableSpec
  /** The SELECT. Its columns are exactly `columns`. */
  sql: string
}
