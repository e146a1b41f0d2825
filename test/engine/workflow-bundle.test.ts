import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { tempDir } from '../parts/temp-dir.ts'

function workflowFolder(dir: string) {
  symlinkSync(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    join(dir, 'node_modules'),
  )
  writeFileSync(join(dir, 'index.ts'), "export * from './greet.ts'\n")
  writeFileSync(
    join(dir, 'greet.ts'),
    "import { word } from './word.ts'\nexport async function greet() { return word }\n",
  )
  writeFileSync(join(dir, 'word.ts'), "export const word: string = 'hello-1'\n")
  return { entry: join(dir, 'index.ts'), env: { XDG_CACHE_HOME: join(dir, 'cache') } }
}

test('a bundle is made once per content, imports included', async () => {
  const dir = tempDir()
  const source = workflowFolder(dir)
  const { codePath } = await workflowBundle(source)
  expect(readFileSync(codePath, 'utf8')).toContain('hello-1')
  const { ino } = statSync(codePath)
  expect(await workflowBundle(source)).toEqual({ codePath })
  expect(statSync(codePath).ino).toBe(ino)

  writeFileSync(join(dir, 'word.ts'), "export const word: string = 'hello-2'\n")
  const changed = await workflowBundle(source)
  expect(readFileSync(changed.codePath, 'utf8')).toContain('hello-2')
  expect(readdirSync(join(dir, 'cache', 'coinlake', 'bundles'))).toHaveLength(2)
})

test('a workflow that does not compile is an error that names the entry, and nothing is cached', async () => {
  const dir = tempDir()
  const source = workflowFolder(dir)
  appendFileSync(join(dir, 'word.ts'), "import 'node:fs'\nexport const broken = = 1\n")
  await expect(workflowBundle(source)).rejects.toThrow(source.entry)
  expect(() => readdirSync(join(dir, 'cache', 'coinlake', 'bundles'))).toThrow(/ENOENT/)
})

test('a cache that cannot be written is told with what to do, and stays as it was', async () => {
  const dir = tempDir()
  const source = workflowFolder(dir)
  writeFileSync(join(dir, 'cache'), 'a file')
  await expect(workflowBundle(source)).rejects.toMatchObject({
    code: 'CACHE_NOT_WRITABLE',
    message: expect.stringContaining(join(dir, 'cache')) as string,
    hint: expect.stringContaining('XDG_CACHE_HOME') as string,
  })
  expect(readFileSync(join(dir, 'cache'), 'utf8')).toBe('a file')
})
