import { expect, test } from 'vitest'
import { parseConfig } from '../../../config/load-config.ts'
import { shapes } from '../shapes.ts'

const source = 'source: { base_url: "https://api.example" }\n'

test.each<[string, string]>([
  [
    `${source}publish: { evry: 1h }`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:12: `publish` has no key `evry` | Did you mean `every`?',
  ],
  [
    `${source}publish: { size: 1 }`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:12: `publish` has no key `size` | `publish` may have: every.',
  ],
  [
    `${source}keep: 1d`,
    'CONFIG_UNKNOWN_KEY c.yaml:2:1: the file has no key `keep` | `keep` belongs under `stage` or under `log`.',
  ],
  [
    'source: { base_url: "https://api.example", rate: { calls: 3, per: 1m, burst: 9 } }',
    'CONFIG_UNKNOWN_KEY c.yaml:1:71: `source.rate` has no key `burst` | `source.rate` may have: calls, per.',
  ],
])('a key that a section does not have: %j', (text, expected) => {
  const [, code, where, what, hint] = /^(\S+) (\S+): (.*) \| (.*)$/.exec(expected) ?? []
  expect(() => parseConfig({ file: 'c.yaml', env: {}, datasets: shapes }, text)).toThrow(
    expect.objectContaining({ problems: [{ code, where, what, hint }] }),
  )
})
