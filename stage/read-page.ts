import { readOldPage } from './old-pages.ts'
import { decodePage, type KeptPage } from './page-file.ts'
import { pagePath } from './page-path.ts'
import type { PageKey } from './page-stage.ts'
import type { SharedFiles } from './shared-files.ts'

/** The page, also of an older coinlake. A text: why it cannot be trusted. null: the stage does not have it. */
export async function readPage(
  files: SharedFiles,
  key: PageKey,
): Promise<KeptPage | string | null> {
  const content = await files.read(pagePath(key))
  return content === null ? await readOldPage(files, key) : decodePage(content, key)
}
