import { expect } from 'vitest'
import { InvalidConfigError } from '../../config/config-problem.ts'

/** Every problem of a configuration that is read, as `code where: what | hint`; [] = it was taken as good. */
export function problemsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error
    expect(error.exitCode).toBe(2)
    return error.problems.map((one) => `${one.code} ${one.where}: ${one.what} | ${one.hint}`)
  }
}
