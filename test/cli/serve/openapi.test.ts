import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCaptured } from '../../parts/run-captured.ts'
import { tempDir } from '../../parts/temp-dir.ts'

test('the document goes to standard output, or into a file', async () => {
  const dir = tempDir()
  const printed = await runCaptured(['openapi'])
  expect(printed.exitCode).toBe(0)
  expect(JSON.parse(printed.stdout)).toMatchObject({ openapi: '3.1.0' })
  const written = await runCaptured(['openapi', '-o', 'api.json'], { cwd: dir })
  expect({ ...written, bytes: null }).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  expect(readFileSync(join(dir, 'api.json'), 'utf8')).toBe(printed.stdout)
})

test.each([
  { argv: ['--profile', 'other'], code: 'SERVE_OPTION', exit: 2 },
  { argv: ['-o', '/no/such/folder/api.json'], code: 'OUTPUT_NOT_WRITABLE', exit: 5 },
])('openapi $argv: $code', async ({ argv, code, exit }) => {
  const { exitCode, stdout, stderr } = await runCaptured(['openapi', ...argv])
  expect({ exitCode, stdout }).toEqual({ exitCode: exit, stdout: '' })
  expect(stderr).toContain(`error[${code}]`)
})
