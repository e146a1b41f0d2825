/** The place of a DuckLake, without secrets. libpq and S3 clients find theirs in the environment. */
export interface LakeSettings {
  /** `postgres:` and a string of libpq (`postgres:dbname=lake host=db`), or `sqlite:` and an absolute path. */
  catalog: string
  /** The place of the rows: an absolute folder, or `s3://bucket/prefix`. */
  data: string
  /** Folder with DuckDB's extension files; null: DuckDB's own folder, and DuckDB downloads missing ones. */
  extensionDir: string | null
  /** Absolute folder for data that does not fit into memory. */
  tempDir: string
}
