/** A place in a bucket, without secrets, because S3's credentials are in the environment. */
export interface BucketConfig {
  /** `s3://bucket/prefix`, without a slash at its end. */
  place: string
  /** Folder with DuckDB's extension files; null = DuckDB gets them itself. */
  extensionDir: string | null
}
