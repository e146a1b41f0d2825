import type { Column, TableSpec } from '../../datasets/dataset.ts'

/**
 * A view that spares analysts the quirks of the source. Its SQL names tables as `main.<table>`, never with a database,
 * so that the view finds its tables under whatever name the published file is attached (only a TEMP table of the reader
 * can shadow one). No view cuts days or hours in the time zone of the session.
 */
export interface AnalystView {
  name: string
  description: string
  /** Tables that must be published for the view to exist. */
  needs: readonly string[]
  /** The columns of `sql`, in its order. */
  columns: readonly Column[]
  /** The table whose newest rows the view shows. */
  snapshot?: TableSpec
  /** The SELECT, with exactly `columns`. */
  sql: string
}
