import type { PageKey } from './page-stage.ts'

const SLICE_ID = /^[0-9a-f]{20}$/
/** Digits of a slice's id that name its folder: 256 folders. A million slices make about 4,000 files in each. */
const FAN_OUT_DIGITS = 2
/** The file of a page, or one of the files that a page has in the folder of an older coinlake (read-page.ts). */
const PAGE_PATH = /\/([0-9a-f]{20})-g(\d+)(?:-(s\d+p\d+)\.page|\/(s\d+p\d+)\.[^/]+)$/

/** `pages/00` to `pages/ff`, relative to the stage. */
export const PAGE_FOLDERS: readonly string[] = Array.from(
  { length: 16 ** FAN_OUT_DIGITS },
  (_, i) => `pages/${i.toString(16).padStart(FAN_OUT_DIGITS, '0')}`,
)

/**
 * The file of a page, relative to the stage. Ids of coins may hold any character, so only a hash and counters make the
 * path.
 *
 * @throws RangeError for a malformed slice id
 */
export function pagePath(key: PageKey): string {
  return `${folderOf(key)}/${sliceName(key)}-${pageName(key)}.page`
}

/** The place of a damaged page's file `name`, relative to the stage. */
export function damagedPath(key: PageKey, name: string): string {
  return `damaged/${sliceName(key)}/${name.slice(name.lastIndexOf('/') + 1)}`
}

/** The page that a file of the stage belongs to; null: the file has another name. */
export function pageAt(path: string): PageKey | null {
  const [, sliceId, generation, name, oldName] = PAGE_PATH.exec(path) ?? []
  if (sliceId === undefined) return null
  const [step, page] = (name ?? oldName)!.slice(1).split('p')
  return { sliceId, generation: Number(generation), step: Number(step), page: Number(page) }
}

/** The name of a slice with its generation, which its files begin with. */
export function sliceName({
  sliceId,
  generation,
}: Pick<PageKey, 'sliceId' | 'generation'>): string {
  return `${sliceId}-g${generation}`
}

export function folderOf({ sliceId }: Pick<PageKey, 'sliceId'>): string {
  if (!SLICE_ID.test(sliceId)) {
    throw new RangeError(`not a slice id: ${JSON.stringify(sliceId)}`)
  }
  return `pages/${sliceId.slice(0, FAN_OUT_DIGITS)}`
}

export function pageName({ step, page }: Pick<PageKey, 'step' | 'page'>): string {
  return `s${step}p${page}`
}
