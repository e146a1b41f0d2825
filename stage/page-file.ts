import type { EncodedBody } from '../api/response-body.ts'
import { decodeBody } from './body-encoding.ts'
import type { PageKey, StagedPage } from './page-stage.ts'
import { sha256 } from './sha256.ts'

/** The version of the line of facts. An incompatible change takes the next number. Pages of others count as damaged. */
const FORMAT = 2
const NEWLINE = 0x0a

export interface KeptPage {
  page: StagedPage
  /** Reads the decoded body; a text: why it cannot be trusted. */
  body: () => Promise<Buffer | string>
}

interface Envelope {
  format: number
  /** SHA-256 of `page` as JSON. A flipped bit in its facts, such as a count, does not go unseen. */
  sha256: string
  page: StagedPage
}

/** The file of a page: one line of facts, then the body. */
export function encodePage(page: StagedPage, { bytes }: EncodedBody): Buffer {
  const json = JSON.stringify(page)
  const line = `{"format":${FORMAT},"sha256":"${sha256(json)}","page":${json}}\n`
  return Buffer.concat([Buffer.from(line), bytes])
}

/** The page in a file; a text: why it cannot be trusted. The body is checked when it is read. */
export function decodePage(content: Buffer, key: PageKey): KeptPage | string {
  const end = content.indexOf(NEWLINE)
  const page = decodeLine(content.toString('utf8', 0, Math.max(0, end)), key, FORMAT)
  if (typeof page === 'string') return page
  const bytes = content.subarray(end + 1)
  return {
    page,
    async body() {
      const { encoding, keptBytes, sizeBytes } = page.body
      if (bytes.byteLength !== keptBytes) {
        return `the body has ${bytes.byteLength} bytes instead of ${keptBytes}`
      }
      const body = await decodeBody({ encoding, bytes }, sizeBytes)
      const isWhole = body !== null && sha256(body) === page.body.sha256
      return isWhole ? body : 'the body fails its checksum'
    },
  }
}

const KEY_FIELDS = ['sliceId', 'generation', 'step', 'page'] as const

/** The facts in a line, or in an old record; a text: why they cannot be trusted. */
export function decodeLine(line: string, key: PageKey, format: number): StagedPage | string {
  let envelope: Partial<Envelope> | null
  try {
    envelope = JSON.parse(line) as Partial<Envelope> | null
  } catch {
    return 'the facts are no JSON'
  }
  if (envelope?.format !== format || envelope.page === undefined) {
    return `the facts are not of format ${format}`
  }
  const { page } = envelope
  // Numbers and key order survive parse and stringify, because stringify wrote them.
  if (sha256(JSON.stringify(page)) !== envelope.sha256) return 'the facts fail their checksum'
  const isOfKey = KEY_FIELDS.every((name) => page.key[name] === key[name])
  return isOfKey ? page : 'the facts are of another page'
}
