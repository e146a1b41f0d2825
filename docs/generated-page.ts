/** A file that is written by code and kept in the repository; a test holds it fresh. */
export interface GeneratedPage {
  /** Path from the repository. */
  file: string
  generate(): string | Promise<string>
}
