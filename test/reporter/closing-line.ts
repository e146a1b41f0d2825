import type { Reporter, TestModule } from 'vitest/node'

/** Ends the test run with `N passed, N failed`, so that any CI can read the counts from the last line. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    let skipped = 0
    for (const module of modules) {
      let failedHere = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failedHere += 1
        else skipped += 1
      }
      // A file that could not even be collected has no tests, and must not look like success.
      if (failedHere === 0 && module.state() === 'failed') failedHere = 1
      failed += failedHere
    }
    const rest = skipped === 0 ? '' : `(${skipped} skipped: each says why above)\n`
    setImmediate(() => process.stdout.write(`\n${rest}${passed} passed, ${failed} failed\n`))
  }
}
