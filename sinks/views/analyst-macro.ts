/** A table macro beside the views, for results that depend on arguments. DuckDB reads macros of a file from 1.4 on. */
export interface AnalystMacro {
  name: string
  description: string
  /** Tables that must be published for the macro to exist. */
  needs: readonly string[]
  /** Parameters as CREATE MACRO writes them, `db` last: a macro looks for tables in its caller's database. */
  parameters: string
  sql: string
}
