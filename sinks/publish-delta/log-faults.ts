import type { ObjectFiles } from '../../stage/s3-files.ts'
import { commitPath, logOf, standingTables } from './delta-log.ts'
import type { LoggedState } from './delta-actions.ts'
import type { DeltaManifest } from './delta-manifest.ts'

/**
 * Reads each log up to the manifest's version, as readers of Delta Lake do.
 *
 * @param listed the objects of the place
 * @returns by table, why its log does not lead to the files of the manifest
 */
export async function logFaults(
  files: ObjectFiles,
  listed: ReadonlyMap<string, number>,
  manifest: DeltaManifest,
  scratchDir: string,
): Promise<Map<string, string>> {
  const faults = new Map<string, string>()
  for (const [table, { version }] of Object.entries(manifest.tables)) {
    // A later version comes from a killed publisher or another program.
    const last = commitPath(table, version)
    const own = logOf(table, listed.keys()).filter((name) => name <= last)
    const known = new Map(own.map((name) => [name, listed.get(name) ?? 0]))
    const state = await standingTables(files, known, null, new Set([table]), scratchDir).then(
      (found) => found.get(table),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const manifestPaths = manifest.files
      .filter((file) => file.table === table)
      .map(({ path }) => path)
    const fault = typeof state === 'string' ? state : faultOf(state, version, manifestPaths)
    if (fault !== null) faults.set(table, fault)
  }
  return faults
}

function faultOf(
  state: LoggedState | undefined,
  version: number,
  manifestPaths: readonly string[],
): string | null {
  if (state === undefined) return 'no log'
  if (state.version !== version) return `version ${state.version} instead of ${version}`
  if (!state.isRedefined) return 'no definition of the table'
  const missing = manifestPaths.find((path) => !state.live.has(path))
  if (missing !== undefined) return `no entry of ${missing}`
  const more = [...state.live.keys()].find((path) => !manifestPaths.includes(path))
  return more === undefined ? null : `an entry of ${more}, which is not of this version`
}
