/** A file that code writes and the repository keeps. A test checks that it is up to date. */
export interface GeneratedPage {
  /** Path from the repository. */
  file: string
  generate(): string | Promise<string>
}
