import { expect, test } from 'vitest'
import { runProgram } from '../../config/run-program.ts'

test('a character that comes in two chunks stays whole', async () => {
  const script = `const bytes = Buffer.from('für immer')
    process.stdout.write(bytes.subarray(0, 2))
    setTimeout(() => process.stdout.write(bytes.subarray(2)), 200)`
  const result = await runProgram([process.execPath, '-e', script], { env: {}, timeoutMs: 20_000 })
  expect(result).toMatchObject({ ok: true, output: 'für immer' })
})
