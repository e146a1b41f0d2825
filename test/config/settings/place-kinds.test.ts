import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { catalog, extensionDirOf, path, place } from '../../../config/settings/place-kinds.ts'

const GIVEN = { by: 'file', dir: '/base', env: {} } as const

test.each([
  ['~', homedir()],
  ['~/lake', `${homedir()}/lake`],
  ['lake', '/base/lake'],
  ['/lake', '/lake'],
  ['~lake', '/base/~lake'],
])('the path %s', (text, absolute) => {
  expect(path.parse(text, GIVEN)).toBe(absolute)
  expect(place.parse(text, GIVEN)).toBe(absolute)
})

test.each([
  ['s3://bucket/some/prefix/', 's3://bucket/some/prefix'],
  ['s3://bucket', 's3://bucket'],
])('the place %s', (text, plain) => {
  expect(place.parse(text, GIVEN)).toBe(plain)
})

test.each(['s3://b', 's3://Bucket', 's3://bucket/a b', 'x s3://bucket', 'gs://bucket'])(
  '%j is no place',
  (text) => expect(() => place.parse(text, GIVEN)).toThrow('neither a folder nor s3://'),
)

test.each([
  ['postgres:dbname=lake host=db', 'postgres:dbname=lake host=db'],
  ['sqlite:lake.sqlite', 'sqlite:/base/lake.sqlite'],
  ['sqlite:two\nlines', 'sqlite:/base/two\nlines'],
])('the catalog %j', (text, absolute) => {
  expect(catalog.parse(text, GIVEN)).toBe(absolute)
})

test.each([
  [undefined, null],
  ['  ', null],
  [' /extensions ', '/extensions'],
])('COINLAKE_DUCKDB_EXTENSIONS=%j names %j', (text, dir) => {
  expect(extensionDirOf(text === undefined ? {} : { COINLAKE_DUCKDB_EXTENSIONS: text })).toBe(dir)
})
