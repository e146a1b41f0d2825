import type { Column, TableSpec } from '../../datasets/dataset.ts'

/**
 * A view that spares analysts the quirks of the source. Its SQL names tables as `main.<table>` without a database. So
 * it finds them whatever the name of the attached file; only a reader's TEMP table can shadow one. No view cuts days or
 * hours in the session's time zone.
 */
export interface AnalystView {
  name: string
  description: string
  /** Tables that must be published for it to exist. */
  needs: readonly string[]
  columns: readonly Column[]
  /** The table whose newest rows the view shows. */
  snapshot?: TableSpec
  /** The SELECT. That of a view gives exactly `columns`. */
  sql: string
}

/** A table macro, for results that depend on arguments. DuckDB reads macros of a file from 1.4 on. */
export interface AnalystMacro extends Pick<AnalystView, 'name' | 'description' | 'needs' | 'sql'> {
  /** Parameters as CREATE MACRO writes them, `db` last: a macro looks for tables in its caller's database. */
  parameters: string
}
