import { expect, test } from 'vitest'
import { parseYamlSource } from '../../../config/settings/yaml-source.ts'

const parse = (text: string) => parseYamlSource('c.yaml', text)
const BOMB = `a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]`

test.each([
  ['a: *gone', 'c.yaml:1:4', 'the alias *gone stands for nothing above it'],
  ['x: 1\n a : 2\n', 'c.yaml:1:4', 'Nested mappings'],
  ['rate: 1\nfrom :  2\nfrom : 3', 'c.yaml:3:1', 'the key "from" is there twice'],
  ['datasets:\n  a:\n  a:\n', 'c.yaml:3:3', 'the key "a" is there twice'],
  ['x: { "a:b", "a:b" }', 'c.yaml:1:13', 'the key "a:b" is there twice'],
  ['source:\n\tbase_url: x', 'c.yaml:2:1', 'Tabs are not allowed as indentation'],
  ['sinks: [duckdb\n', 'c.yaml:2:1', 'Flow sequence in block'],
  ['warehouse: a\n---\nwarehouse: b\n', 'c.yaml:2:1', 'multiple documents'],
  [BOMB, 'c.yaml:1:1', 'Excessive alias count'],
])('%j is not readable', (text, where, message) => {
  const { problems, source } = parse(text)
  expect(problems[0]).toMatchObject({ code: 'CONFIG_SYNTAX', where })
  expect(problems[0]?.what).toContain(message)
  expect(source.value).toEqual({})
})

test('an empty file has no keys, and every path is at its start', () => {
  const { problems, source } = parse('')
  expect(problems).toEqual([])
  expect(source.value).toEqual({})
  expect(source.whereValue(['a', 'b'])).toBe('c.yaml:1:1')
})

const TEXT = `# first
source:
  rate: 30/min
lists: &all
  - one
  -
  - { two: 3 }
again: *all
empty:
`

test.each([
  [['source'], 'c.yaml:2:1', 'c.yaml:3:3', 'c.yaml:2'],
  [['source', 'rate'], 'c.yaml:3:3', 'c.yaml:3:9', 'c.yaml:3'],
  [['source', 'gone', 'below'], 'c.yaml:2:1', 'c.yaml:3:3', 'c.yaml:2'],
  [['lists', 0], 'c.yaml:5:5', 'c.yaml:5:5', 'c.yaml:5'],
  [['lists', 2, 'two'], 'c.yaml:7:7', 'c.yaml:7:12', 'c.yaml:7'],
  [['lists', 'two'], 'c.yaml:4:1', 'c.yaml:5:3', 'c.yaml:4'],
  [['source', 0], 'c.yaml:2:1', 'c.yaml:3:3', 'c.yaml:2'],
  [['again', 2, 'two'], 'c.yaml:7:7', 'c.yaml:7:12', 'c.yaml:7'],
])('the places of %j', (path, key, value, origin) => {
  const { source } = parse(TEXT)
  expect(source.whereKey(path)).toBe(key)
  expect(source.whereValue(path)).toBe(value)
  expect(source.originOf(path)).toBe(origin)
})

test('ids stay text, however much they look like numbers or words of YAML', () => {
  const { source } = parse('coins: [1e3, 007, true, ~]\ncount: 007')
  expect(source.value).toEqual({ coins: ['1e3', '007', 'true', '~'], count: 7 })
})
