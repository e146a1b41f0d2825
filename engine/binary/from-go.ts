import { join } from 'node:path'
import type { BinarySearch } from './binary-search.ts'
import { runCommand } from './run-command.ts'

/** The newest version that `go install` accepts; later ones have a replace directive. Server 1.29. */
export const GO_INSTALL_VERSION = '1.5.1'

const MODULE = 'github.com/temporalio/cli'

/** A big tree of modules, built from nothing on a small machine. */
const BUILD_TIMEOUT_MS = 20 * 60_000

/**
 * Builds the CLI with Go: minutes, and only where Go is installed and reaches its module proxy (that
 * is asked first, so that no is said early).
 *
 * @returns the path of the binary in `search.dir`.
 * @throws Error when there is no Go, no module proxy, or the build fails.
 */
export async function fromGo(search: BinarySearch): Promise<string> {
  const env = { ...search.env, GOBIN: search.dir, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' }
  const known = await runCommand('go', ['list', '-m', `${MODULE}@v${GO_INSTALL_VERSION}`], {
    env,
    timeoutMs: search.sayNoWithinMs,
    signal: search.signal,
  })
  if (!known.ok) throw new Error(known.reason)
  search.onProgress(`building Temporal CLI ${GO_INSTALL_VERSION} with Go: this takes some minutes`)
  const built = await runCommand(
    'go',
    ['install', `${MODULE}/cmd/temporal@v${GO_INSTALL_VERSION}`],
    {
      env,
      timeoutMs: BUILD_TIMEOUT_MS,
      signal: search.signal,
    },
  )
  if (!built.ok) throw new Error(built.reason)
  return join(search.dir, 'temporal')
}
