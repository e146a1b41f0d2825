import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../config/load-config.ts'
import { requireKeys, missingKeyWarning } from '../../config/require-key.ts'
import { tempDir } from '../parts/temp-dir.ts'

const dir = tempDir(afterAll)
beforeAll(() => {
  writeFileSync(join(dir, 'key'), 'from-file\n')
  writeFileSync(join(dir, 'empty'), '\n')
})
function keyOf(source: string, env: Record<string, string> = {}): string | undefined {
  const input = { file: 'c.yaml', env, datasets: [], cwd: dir }
  return requireKeys(parseConfig(input, `source: { ${source} }`))[0]?.reveal()
}

const far = 'base_url: "https://api.example"'
const near = 'base_url: "http://localhost:8400"'

test.each<[string, Record<string, string>, string | undefined]>([
  [`${far}, api_key: "\${MY_KEY}"`, { MY_KEY: ' mine ' }, 'mine'],
  [`${far}, api_key: "\${MY_KEY}"`, { MY_KEY: 'mine', COINLAKE_API_KEY: 'wins' }, 'wins'],
  [`${far}, api_key: literal`, {}, 'literal'],
  [far, { COINLAKE_API_KEY: 'env' }, 'env'],
  [`${far}, api_key_file: key`, {}, 'from-file'],
  [`${far}, api_key_file: key`, { COINLAKE_API_KEY: 'wins' }, 'wins'],
  [near, {}, undefined],
  ['profile: coingecko-demo', {}, undefined],
  ['profile: coingecko-demo, api_key: "${MY_KEY}"', {}, undefined],
])('{ %s } with %j', (source, env, key) => {
  expect(keyOf(source, env)).toBe(key)
})

test.each<[string, Record<string, string>, string[]]>([
  [`${far}, api_keys: ["\${A}", "\${B}", literal]`, { A: 'a', B: ' b ' }, ['a', 'b', 'literal']],
  [`${far}, api_key_files: [key]`, {}, ['from-file']],
  [`${far}, api_keys: ["\${A}"], api_key_files: [key]`, { A: 'a' }, ['a', 'from-file']],
  [`${far}, api_keys: ["\${A}", "\${B}"]`, { A: 'a', COINLAKE_API_KEY: 'wins' }, ['wins']],
])('{ %s } with %j has several', (source, env, keys) => {
  const input = { file: 'c.yaml', env, datasets: [], cwd: dir }
  const config = parseConfig(input, `source: { ${source} }`)
  expect(requireKeys(config).map((key) => key?.reveal())).toEqual(keys)
  for (const key of ['from-file', 'literal', 'wins']) {
    expect(JSON.stringify(config.settings)).not.toContain(`"${key}`)
  }
})

test.each<[string, Record<string, string>, string]>([
  [
    `${near}, api_keys: ["\${A}", "\${B}"]`,
    { A: 'a' },
    'one of 2 or more API keys is missing for http://localhost:8400: env B is not set (c.yaml:1)',
  ],
  [`profile: coingecko-demo, api_keys: ["\${A}"], api_key_files: [empty]`, { A: 'a' }, 'is empty'],
  [far, {}, 'no API key for https://api.example: source.api_key is not there (c.yaml)'],
  [
    `${far}, api_key: "\${MY_KEY}"`,
    {},
    'no API key for https://api.example: env MY_KEY is not set (c.yaml:1)',
  ],
  [
    `${near}, api_key: "\${MY_KEY}"`,
    { MY_KEY: '' },
    'no API key for http://localhost:8400: env MY_KEY is empty (c.yaml:1)',
  ],
  [`${far}, api_key_file: empty`, {}, '/empty is empty (c.yaml:1)'],
  [`${far}, api_key_file: nowhere`, {}, '/nowhere cannot be read (ENOENT) (c.yaml:1)'],
  ['profile: coingecko-pro', {}, 'no API key for https://pro-api.coingecko.com'],
])('{ %s } with %j has none', (source, env, message) => {
  expect(() => keyOf(source, env)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_NO_KEY',
      exitCode: 2,
      message: expect.stringContaining(message) as string,
    }),
  )
})

test.each([
  ['profile: coingecko-demo, api_key: "${MY_KEY}"', 'env MY_KEY is not set: https://api.coingecko'],
  ['profile: coingecko-demo, api_key: any', null],
  ['profile: coingecko-demo', null],
  [`profile: coingecko-demo, ${near}, api_key: "\${MY_KEY}"`, null],
  // Refused by requireKeys.
  [`${far}, api_key: "\${MY_KEY}"`, null],
])('{ %s }: a key that is named and missing is told', (source, told) => {
  const text = missingKeyWarning(
    parseConfig({ file: 'c.yaml', env: {}, datasets: [], cwd: dir }, `source: { ${source} }`),
  )
  expect(text === null ? null : text.slice(0, told?.length)).toBe(told)
})
