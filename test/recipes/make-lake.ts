import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../docs/page-text.ts'

/** The day at which the demo's market stands in the recipes, so that their figures stay the same. */
const PRESENT = '2026-11-01T00:00:00.000Z'
const DEMO_TIMEOUT_MS = 300_000

/**
 * Runs `coinlake demo` anew in a folder that looks like a clone to the recipes: `demo/` with the
 * warehouse, `docs/` beside it, and coinlake for npx. Tools that recipes installed in demo/ stay. Returns
 * the demo's folder.
 *
 * @throws Error with the demo's last words when it fails
 */
export function makeLake(root: string, env: NodeJS.ProcessEnv): string {
  const demo = join(root, 'demo')
  for (const made of ['warehouse', 'engine', 'coinlake.yaml']) {
    rmSync(join(demo, made), { recursive: true, force: true })
  }
  mkdirSync(demo, { recursive: true })
  writeFileSync(join(demo, 'present.txt'), `${PRESENT}\n`)
  link(join(REPOSITORY, 'docs'), join(root, 'docs'))
  mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
  link(join(REPOSITORY, 'bin', 'coinlake.js'), join(root, 'node_modules', '.bin', 'coinlake'))
  const ran = spawnSync(process.execPath, [join(REPOSITORY, 'bin/coinlake.js'), 'demo'], {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: DEMO_TIMEOUT_MS,
  })
  if (ran.status !== 0) {
    const words = `${ran.stdout}${ran.stderr}`.trim().split('\n').slice(-10).join('\n')
    throw new Error(`the demo failed (exit code ${String(ran.status)}):\n${words}`)
  }
  return demo
}

function link(target: string, path: string): void {
  rmSync(path, { force: true })
  symlinkSync(target, path)
}
