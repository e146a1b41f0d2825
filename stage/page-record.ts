import type { PageKey, StagedPage } from './page-stage.ts'
import { sha256 } from './sha256.ts'

/** Raised when the record changes incompatibly: pages of another format count as damaged and are fetched again. */
const FORMAT = 1

interface Envelope {
  format: number
  /** SHA-256 of `page` as JSON: a flipped bit in a count or a next page must not go unseen. */
  sha256: string
  page: StagedPage
}

/** The JSON file that makes a page exist. It carries its own checksum and those of the other files. */
export function encodeRecord(page: StagedPage): string {
  const json = JSON.stringify(page)
  return `{"format":${FORMAT},"sha256":"${sha256(json)}","page":${json}}\n`
}

/** The page a record describes; a text saying what is wrong when it cannot be believed. */
export function decodeRecord(text: string, key: PageKey): StagedPage | string {
  let envelope: Partial<Envelope> | null
  try {
    envelope = JSON.parse(text) as Partial<Envelope> | null
  } catch {
    return 'the record is no JSON'
  }
  if (envelope?.format !== FORMAT || envelope.page === undefined) {
    return `the record is not of format ${FORMAT}`
  }
  const { page } = envelope
  // Numbers and key order survive parse and stringify, because stringify wrote them.
  if (sha256(JSON.stringify(page)) !== envelope.sha256) return 'the record fails its checksum'
  const { sliceId, generation, step, page: number } = page.key
  const isSame =
    sliceId === key.sliceId &&
    generation === key.generation &&
    step === key.step &&
    number === key.page
  return isSame ? page : 'the record is of another page'
}
