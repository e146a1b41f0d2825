import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodePage, encodePage } from '../../stage/page-file.ts'
import { sha256 } from '../../stage/sha256.ts'
import { KEY, pageOf, ROWS } from './staged-sample.ts'

const RAW = Buffer.from('a body')
const BYTES = gzipSync(RAW)
const PAGE = {
  ...pageOf(ROWS).facts,
  body: {
    encoding: 'gzip' as const,
    keptBytes: BYTES.byteLength,
    sizeBytes: RAW.byteLength,
    sha256: sha256(RAW),
  },
  tables: [],
}

/** The text of the body, or why it cannot be trusted. */
async function bodyOf(raw: string): Promise<string> {
  const file = encodePage(PAGE, { encoding: 'gzip', bytes: gzipSync(raw) })
  const kept = decodePage(file, KEY)
  return typeof kept === 'string' ? kept : String(await kept.body())
}

test('a body is its page’s, and not another of the same size', async () => {
  expect(await bodyOf('a body')).toBe('a body')
  expect(await bodyOf('b body')).toBe('the body fails its checksum')
})

test.each([{ sliceId: 'f'.repeat(20) }, { generation: 1 }, { step: 1 }, { page: 2 }])(
  'a page is not taken for that of %j',
  (other) => {
    const file = encodePage(PAGE, { encoding: 'gzip', bytes: BYTES })
    expect(decodePage(file, { ...KEY, ...other })).toBe('the facts are of another page')
  },
)
