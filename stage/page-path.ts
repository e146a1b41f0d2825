import type { PageKey } from './page-stage.ts'

const SLICE_ID = /^[0-9a-f]{20}$/
const TABLE_NAME = /^[a-z_][a-z0-9_]*$/
/** Directories of one level: 256 keeps each below some thousand entries at a million slices. */
const FAN_OUT_DIGITS = 2

/** What all files of a page have before the first dot. */
export function pageName({ step, page }: Pick<PageKey, 'step' | 'page'>): string {
  checkWhole('step', step, 0)
  checkWhole('page', page, 1)
  return `s${step}p${page}`
}

/**
 * Folder of a slice's pages, relative to the stage. Only a hash and a counter ever become a path:
 * ids of coins and exchanges may hold anything.
 *
 * @throws RangeError when the key is not one of ours.
 */
export function sliceFolder(sliceId: string, generation: number): string {
  if (!SLICE_ID.test(sliceId)) {
    throw new RangeError(`not a slice id: ${JSON.stringify(sliceId)}`)
  }
  checkWhole('generation', generation, 0)
  return `pages/${sliceId.slice(0, FAN_OUT_DIGITS)}/${sliceId}-g${generation}`
}

/** @throws RangeError when a table's name could be anything but a plain file name. */
export function checkedTableName(table: string): string {
  if (!TABLE_NAME.test(table)) throw new RangeError(`not a table name: ${JSON.stringify(table)}`)
  return table
}

function checkWhole(what: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${what} of a page key is ${value}`)
  }
}
