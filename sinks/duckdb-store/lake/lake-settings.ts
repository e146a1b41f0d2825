/** The place of a DuckLake. No secret is in here: libpq and S3 clients find theirs in the environment. */
export interface LakeSettings {
  /** `postgres:` and a string of libpq (`postgres:dbname=lake host=db`), or `sqlite:` and an absolute path. */
  catalog: string
  /** The place of the rows: the absolute path of a folder, or `s3://bucket/prefix`. */
  data: string
  /** Folder with DuckDB's extension files. null = DuckDB's own folder; DuckDB downloads missing extensions. */
  extensionDir: string | null
  /** Folder for data that does not fit into memory, absolute. */
  tempDir: string
}
