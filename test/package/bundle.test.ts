import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { REPOSITORY } from './place-package.ts'

const PARTS = 'config api datasets plan stage sinks activities workflows engine service cli bin'

/** A clone of the repository with its bundle. */
function bundledClone(): string {
  const dir = tempDir()
  for (const part of [...PARTS.split(' '), 'package.json', 'package-lock.json']) {
    cpSync(join(REPOSITORY, part), join(dir, part), { recursive: true })
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(dir, 'node_modules'))
  const { status, stderr } = spawnSync(process.execPath, [join(dir, 'bin/bundle.mjs')])
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' })
  return dir
}

const said = (dir: string): string =>
  spawnSync(process.execPath, [join(dir, 'bin/coinlake.js'), '--version'], { encoding: 'utf8' })
    .stdout

test('a repository runs its bundle until any source is newer', () => {
  const dir = bundledClone()
  const version = said(dir)
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)
  const source = join(dir, 'cli/main.ts')
  appendFileSync(source, "process.stdout.write('of the sources\\n')\n")
  utimesSync(source, 1, 1)
  expect(said(dir)).toBe(version)
  const now = Date.now() / 1_000
  utimesSync(join(dir, 'plan/order.ts'), now, now)
  expect(said(dir)).toBe(`${version}of the sources\n`)
})

test('queues have the same names from the bundle and from the sources', async () => {
  const chunk = join(bundledClone(), 'dist/bundle/workflow-bundle.js')
  const exported = Object.values((await import(chunk)) as Record<string, typeof workflowsId>)
  expect(exported.find(({ name }) => name === 'workflowsId')?.()).toBe(workflowsId())
})
