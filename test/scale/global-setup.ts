import type { TestProject } from 'vitest/node'
import { extensionFolder } from './parts/extensions.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with DuckDB's extensions: `inject('extensions')`. */
    extensions: string
  }
}

/** Gets what no package manager of this project installs; without it these tests would prove nothing. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('extensions', await extensionFolder())
}
