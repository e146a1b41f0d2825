/** A DuckLake as the store of a warehouse, for several workers. This object has no secrets. */
export interface LakeConfig {
  /** `postgres:` with the `key=value` parameters of libpq, or `sqlite:` with an absolute path. */
  catalog: string
  /** Place of the rows: an absolute folder, or `s3://bucket/prefix`. */
  data: string
  /** Folder with DuckDB's extension files; null = DuckDB gets them itself. */
  extensionDir: string | null
}
