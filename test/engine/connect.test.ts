import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connectEngine } from '../../engine/connect.ts'
import { cacheDir, engineStateDir } from '../../engine/engine-env.ts'
import { freePort } from '../../engine/server/free-port.ts'
import { stopServer } from '../parts/stop-server.ts'
import { tempDir } from '../parts/temp-dir.ts'

test('TEMPORAL_ADDRESS names the cluster; the own server is left alone', async () => {
  const { address } = inject('temporal')
  const stateDir = join(tempDir(), 'state')
  const env = {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: 'prices',
    COINLAKE_ENGINE_DIR: stateDir,
  }
  const engine = await connectEngine({ env })
  expect(engine).toMatchObject({ address, namespace: 'prices' })
  expect(engine.describe()).toBe(`Temporal at ${address}, namespace prices`)
  await engine.close()
  expect(() => readdirSync(stateDir)).toThrow(/ENOENT/)
})

test('temporal.toml names it too, with the profile that is asked for', async () => {
  const { address } = inject('temporal')
  const file = join(tempDir(), 'temporal.toml')
  writeFileSync(file, `[profile.work]\naddress = "${address}"\nnamespace = "default"\n`)
  const engine = await connectEngine({
    env: { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'work' },
  })
  expect(engine).toMatchObject({ address, namespace: 'default' })
  await engine.close()
})

test('isolated ignores a configured cluster', async () => {
  const stateDir = tempDir()
  onTestFinished(async () => {
    await stopServer(stateDir)
  })
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    COINLAKE_ENGINE_ISOLATED: '1',
    COINLAKE_ENGINE_DIR: stateDir,
    COINLAKE_ENGINE_GRACE_MS: '300',
    // A proxy is for the outside, not for this machine.
    http_proxy: 'http://127.0.0.1:1',
  }
  const engine = await connectEngine({ env })
  expect(engine).toMatchObject({ namespace: 'default' })
  expect(engine.describe()).toContain(stateDir)
  const { config } = await engine.connection.workflowService.describeNamespace({
    namespace: 'default',
  })
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(7 * 24 * 3600)
  await (await engine.connectNative(() => undefined)).close()
  await engine.close()
})

test('a cluster that does not answer is an error with its address and what to do', async () => {
  const address = `127.0.0.1:${await freePort()}`
  await expect(
    connectEngine({ env: { TEMPORAL_ADDRESS: address }, connectTimeoutMs: 500 }),
  ).rejects.toMatchObject({
    code: 'TEMPORAL_UNREACHABLE',
    message: expect.stringContaining(address) as string,
    hint: expect.stringContaining('TEMPORAL_ADDRESS') as string,
  })
})

test('a broken temporal.toml is an error, not a silent default', async () => {
  const file = join(tempDir(), 'temporal.toml')
  writeFileSync(file, '[profile.default\naddress = ')
  await expect(connectEngine({ env: { TEMPORAL_CONFIG_FILE: file } })).rejects.toMatchObject({
    code: 'TEMPORAL_CONFIG',
  })
})

test.each([
  [{ COINLAKE_ENGINE_DIR: '/x', XDG_STATE_HOME: '/s' }, '/x'],
  [{ XDG_STATE_HOME: '/s', HOME: '/h' }, '/s/coinlake/temporal'],
  [{ XDG_STATE_HOME: '', HOME: '/h' }, '/h/.local/state/coinlake/temporal'],
])('the state folder of %j is %s', (env, dir) => {
  expect(engineStateDir(env)).toBe(dir)
})

test('the cache folder follows XDG_CACHE_HOME, else HOME', () => {
  expect(cacheDir({ XDG_CACHE_HOME: '/c', HOME: '/h' })).toBe('/c/coinlake')
  expect(cacheDir({ HOME: '/h' })).toBe('/h/.cache/coinlake')
})
