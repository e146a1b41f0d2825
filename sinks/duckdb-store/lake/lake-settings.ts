/** Where a DuckLake is. Holds no secret: those are in the environment, as libpq and S3 clients know them. */
export interface LakeSettings {
  /** `postgres:` with the words of libpq (`postgres:dbname=lake host=db`), or `sqlite:` with an absolute path. */
  catalog: string
  /** Where the rows lie: the absolute path of a folder, or `s3://bucket/prefix`. */
  data: string
  /** Folder with the files of DuckDB's extensions; null: DuckDB's own folder, and its server when they are missing. */
  extensionDir: string | null
  /** Where DuckDB puts what does not fit into memory, absolute. */
  tempDir: string
}
