import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeDurably } from './durable-file.ts'

/** What outlives its time does so by days (`stage.keep`); an hour less, as daily runs are not a day apart to the second. */
const WALK_EVERY_MS = 23 * 3_600_000

/** When the stage of a warehouse was walked, from process to process. */
export interface StageWalks {
  /** Whether a walk may find anything. */
  isDue(): boolean
  /** The stage has been walked just now. */
  note(): Promise<void>
  /** This process ends in order: it leaves nothing that the next one would have to look for. */
  close(): Promise<void>
}

interface Noted {
  /** By the machine's clock; null = never. */
  walkedAtMs: number | null
  keep: 'forever' | 'none' | number
  /** A process works on the stage, or was killed while it did. */
  isOpen: boolean
}

/**
 * A walk looks at every answer that is kept, a second for forty thousand of them: once a day is enough, also
 * where each run is a process of its own. It is due at once when the process before was killed, as pages may
 * lie about that it had loaded, or when answers are to be kept for another time.
 *
 * @param file of the warehouse's state. Where it cannot be written it stays as it is, and this process walks.
 */
export async function openStageWalks(file: string, keep: Noted['keep']): Promise<StageWalks> {
  const last = readNoted(file)
  const isAsLeft =
    last !== null && !last.isOpen && last.keep === keep && Number.isFinite(last.walkedAtMs)
  let walkedAtMs = isAsLeft ? last.walkedAtMs : null
  const write = async (isOpen: boolean): Promise<void> => {
    const noted: Noted = { walkedAtMs, keep, isOpen }
    await writeDurably(file, JSON.stringify(noted), { tempDir: dirname(file) })
  }
  await write(true).catch(() => (walkedAtMs = null))
  return {
    isDue() {
      const nowMs = Date.now()
      return walkedAtMs === null || walkedAtMs > nowMs || nowMs - walkedAtMs >= WALK_EVERY_MS
    },
    async note() {
      walkedAtMs = Date.now()
      await write(true).catch(() => undefined)
    },
    // Not written, the next process walks.
    close: () => write(false).catch(() => undefined),
  }
}

function readNoted(file: string): Noted | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Noted
  } catch {
    return null
  }
}
