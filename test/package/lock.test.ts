import { expect, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import { REPOSITORY } from './place-package.ts'
import { tryCi } from './try-ci.ts'

interface Entry {
  version?: string
  resolved?: string
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
}

const entries = Object.entries<Entry>(lock.packages).filter(([folder]) => folder !== '')
const HINT = 'bring package-lock.json in step with package.json: npm run lock'

test('npm ci takes the lock of the clone', async () => {
  const { exitCode, stderr } = await tryCi(REPOSITORY)
  expect(exitCode, `${HINT}\n${stderr}`).toBe(0)
})

test('the lock names no registry, and pins by content all but packages of other platforms', () => {
  expect(
    entries.filter(([, { resolved }]) => resolved !== undefined),
    HINT,
  ).toEqual([])
  const unpinned = entries.filter(([, { integrity }]) => integrity === undefined)
  expect(
    unpinned.filter(([, entry]) => !entry.optional || !entry.os || !entry.cpu),
    HINT,
  ).toEqual([])
})
