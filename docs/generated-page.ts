/** A page of docs/ that is written by code and kept in the repository; a test holds it fresh. */
export interface GeneratedPage {
  /** File name below docs/. */
  file: string
  generate(): string | Promise<string>
}
