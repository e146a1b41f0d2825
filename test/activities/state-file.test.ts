import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeStateFile } from '../../activities/state-file.ts'
import { sweepTemp, tempName } from '../../config/atomic-file.ts'
import { tempDir } from '../parts/temp-dir.ts'

test('what a killed writer left is swept, and nothing else', async () => {
  const dir = tempDir()
  await writeStateFile(join(dir, 'month.json'), { used: 1 }, 'STATE_NOT_WRITTEN')
  expect(readdirSync(dir)).toEqual(['month.json'])
  const ended = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }))
  const [mine, dead] = [tempName(), tempName().replace(/\d+$/, String(ended))]
  for (const name of [mine, dead, 'store.duckdb']) writeFileSync(join(dir, name), '')
  await sweepTemp(dir)
  expect(readdirSync(dir).sort()).toEqual([mine, 'month.json', 'store.duckdb'].sort())
  expect(JSON.parse(readFileSync(join(dir, 'month.json'), 'utf8'))).toEqual({ used: 1 })
})
