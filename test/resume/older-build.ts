import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ARROWS } from '../arrows.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROOMS = ['bin', ...Object.keys(ARROWS)]
export const OLDER_VERSION = '0.0.9'

/** Workflows that begin otherwise: the history of a run of theirs is none of today's. */
export const OTHER_WORKFLOWS = {
  'workflows/export-warehouse.ts': [
    '  steerRun(run, cancelRequested)\n',
    '  steerRun(run, cancelRequested)\n  await store.planRun({ runId: run.runId, orderId: run.orderId })\n',
  ],
} as const

/** The same workflows under another id. */
export const OTHER_CODE = {
  'workflows/export-warehouse.ts': ["'planning'", "'planning' /* as before */"],
} as const

/** A coinlake of another version in a folder of its own. */
export interface OlderBuild {
  /** Its `bin/coinlake.js`. */
  program: string
  remove(): void
}

/**
 * Copies this coinlake as one of version 0.0.9.
 *
 * @param edits what it has otherwise: by file, a text that is in there and what stands for it
 */
export function olderBuild(edits: Readonly<Record<string, readonly [string, string]>>): OlderBuild {
  const dir = mkdtempSync(join(tmpdir(), 'coinlake-older-build-'))
  for (const room of ROOMS) cpSync(join(ROOT, room), join(dir, room), { recursive: true })
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(dir, 'node_modules'))
  const pack = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...pack, version: OLDER_VERSION }))
  for (const [name, [text, other]] of Object.entries(edits)) {
    const file = join(dir, name)
    const source = readFileSync(file, 'utf8')
    if (!source.includes(text)) throw new Error(`${name} does not hold: ${text}`)
    writeFileSync(file, source.replace(text, other))
  }
  return {
    program: join(dir, 'bin/coinlake.js'),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
