import { zstdDecompressSync } from 'node:zlib'
import { decodeLine, decodePage, type KeptPage } from './page-file.ts'
import { folderOf, pageName, pagePath, sliceName } from './page-path.ts'
import type { PageKey, StagedPage } from './page-stage.ts'
import { sha256 } from './sha256.ts'
import type { SharedFiles } from './shared-files.ts'

/**
 * Pages of an older coinlake, readable forever. Such a page is three files in a folder,
 * `pages/<2 digits>/<slice>-g<generation>/s<step>p<page>` with these endings:
 * - `.json`: the record, `.loaded.json` after the load
 * - `.<hash>.raw.zst`: the body; the record has the hash of its compressed bytes
 * - `.<hash>.<table>.arrow`: rows, which nobody reads now
 */
const OLD_FORMAT = 1

type OldPage = Omit<StagedPage, 'body'> & {
  raw: { name: string; sizeBytes: number; sha256: string; uncompressedBytes: number }
}

/** The page, also of an older coinlake. A text: why it cannot be trusted. null: the stage does not have it. */
export async function readPage(
  files: SharedFiles,
  key: PageKey,
): Promise<KeptPage | string | null> {
  const content = await files.read(pagePath(key))
  return content === null ? await readOldPage(files, key) : decodePage(content, key)
}

async function readOldPage(files: SharedFiles, key: PageKey): Promise<KeptPage | string | null> {
  const folder = oldFolder(key)
  const own = await oldFilesOf(files, key)
  const name = own.find((one) => one.endsWith('.json'))
  const record = name === undefined ? null : await files.read(name)
  if (record === null) return null
  const decoded = decodeLine(record.toString('utf8'), key, OLD_FORMAT)
  if (typeof decoded === 'string') return decoded
  const { raw, tables, ...facts } = decoded as unknown as OldPage
  const { uncompressedBytes: sizeBytes, sizeBytes: keptBytes } = raw
  return {
    page: {
      ...facts,
      body: { encoding: 'zstd', keptBytes, sizeBytes, sha256: raw.sha256 },
      tables: tables.map(({ table, rowCount }) => ({ table, rowCount })),
    },
    async body() {
      const content = await files.read(`${folder}/${raw.name}`)
      if (content === null) return 'the body is not there'
      if (content.byteLength !== keptBytes) {
        return `the body has ${content.byteLength} bytes instead of ${keptBytes}`
      }
      return sha256(content) === raw.sha256
        ? zstdDecompressSync(content)
        : 'the body fails its checksum'
    },
  }
}

/** All files of an older page. The record comes first: without it the page is absent. */
export async function oldFilesOf(files: SharedFiles, key: PageKey): Promise<string[]> {
  const start = `${oldFolder(key)}/${pageName(key)}.`
  const names = (await files.list(oldFolder(key))).map(({ name }) => name)
  const own = names.filter((name) => name.startsWith(start))
  return own.sort((a, b) => Number(b.endsWith('.json')) - Number(a.endsWith('.json')))
}

function oldFolder(key: PageKey): string {
  return `${folderOf(key)}/${sliceName(key)}`
}
