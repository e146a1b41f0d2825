import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../api/operations.ts'
import { systemClock } from '../../config/clock.ts'
import { workflowBundle, workflowsId } from '../../engine/workflow-bundle.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createService } from '../../service/app.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { REPOSITORY } from './place-package.ts'

const PARTS = 'config api datasets plan stage sinks activities workflows engine service cli bin'

/** A clone of the repository with its bundle. */
const dir = tempDir(afterAll)

beforeAll(() => {
  for (const part of [...PARTS.split(' '), 'package.json', 'package-lock.json']) {
    cpSync(join(REPOSITORY, part), join(dir, part), { recursive: true })
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(dir, 'node_modules'))
  const { status, stderr } = spawnSync(process.execPath, [join(dir, 'bin/bundle.mjs')])
  expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' })
})

const said = (): string =>
  spawnSync(process.execPath, [join(dir, 'bin/coinlake.js'), '--version'], { encoding: 'utf8' })
    .stdout

/** A function of a clone's bundle, and the chunk that has it. */
async function bundled<T extends (...args: never) => unknown>(of: T): Promise<[T, string]> {
  const folder = join(dir, 'dist/bundle')
  const isThere = (name: string) =>
    readFileSync(join(folder, name), 'utf8').includes(`function ${of.name}(`)
  const chunk = join(folder, readdirSync(folder).find(isThere) ?? '')
  const exported = Object.values((await import(chunk)) as Record<string, T>)
  return [exported.find(({ name }) => name === of.name)!, chunk]
}

test('the workflows are in the bundle', async () => {
  const [made, chunk] = await bundled(workflowBundle)
  const { codePath } = await made({ env: { XDG_CACHE_HOME: tempDir() } })
  expect(dirname(codePath)).toBe(dirname(chunk))
})

test('queues have the same names from the bundle and from the sources', async () => {
  const [made] = await bundled(workflowsId)
  expect(made()).toBe(workflowsId())
})

test('the bundled service refuses a query whose percent-encoding is wrong', async () => {
  const [made] = await bundled(createService)
  const source: AnswerSource = {
    clock: systemClock,
    answer: () => Promise.resolve({ kind: 'no_data' }),
    close: () => Promise.resolve(),
  }
  const all = Object.values(operations)
  const { app } = made({ source, operations: all, keys: null, quota: null })
  const reply = await app.request('/v2/search?query=a%zz')
  expect(reply.status).toBe(400)
  expect(await reply.json()).toEqual({
    error: 'Invalid parameter query, expected percent-encoded UTF-8',
  })
})

// Last, as it changes the clone.
test('a repository runs its bundle until any source is newer', () => {
  const version = said()
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/)
  const source = join(dir, 'cli/main.ts')
  appendFileSync(source, "process.stdout.write('of the sources\\n')\n")
  utimesSync(source, 1, 1)
  expect(said()).toBe(version)
  const now = Date.now() / 1_000
  utimesSync(join(dir, 'plan/order.ts'), now, now)
  expect(said()).toBe(`${version}of the sources\n`)
})
