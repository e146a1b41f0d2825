import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { REPOSITORY } from './place-package.ts'
import { tryCi } from './try-ci.ts'
import { tempDir } from '../parts/temp-dir.ts'

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

test('npm ci takes it neither without a package of another platform, nor behind package.json', async () => {
  const folder = tempDir()
  const gone = entries.find(([, { os }]) => os?.includes('darwin'))![0]
  const packages = Object.fromEntries(
    Object.entries(lock.packages).filter(([place]) => place !== gone),
  )
  await copyFile(join(REPOSITORY, 'package.json'), join(folder, 'package.json'))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
  expect(await tryCi(folder)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`Missing: ${gone.replace('node_modules/', '')}`),
  })

  const dependencies = { ...manifest.dependencies, zod: '0.0.1' }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies }))
  await copyFile(join(REPOSITORY, 'package-lock.json'), join(folder, 'package-lock.json'))
  expect(await tryCi(folder)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('zod'),
  })
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
