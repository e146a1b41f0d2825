import { sha256 } from './sha256.ts'
import { sharedFiles } from './shared-files.ts'

export interface KeptUniverse {
  /** As the configuration writes it: `top:100`. */
  selector: string
  /** By rank. */
  coinIds: readonly string[]
  chosenAtMs: number
}

const FORMAT = 1
const HASH_DIGITS = 20

/**
 * Keeps a choice of coins beside the pages, as `<dir>/universes/<hash>.json`. The file never expires: a store that is
 * made again must ask for the same coins.
 *
 * @throws StageError
 */
export async function keepUniverse(dir: string, universe: KeptUniverse): Promise<void> {
  const files = sharedFiles(dir)
  const name = `universes/${sha256(universe.selector).slice(0, HASH_DIGITS)}.json`
  const json = JSON.stringify(universe)
  const content = `{"format":${FORMAT},"sha256":"${sha256(json)}","universe":${json}}\n`
  if ((await files.read(name))?.toString('utf8') === content) return
  await files.write(name, content)
}

/** Every kept choice, without damaged files. */
export async function keptUniverses(dir: string): Promise<KeptUniverse[]> {
  const files = sharedFiles(dir)
  const kept: KeptUniverse[] = []
  for (const { name } of await files.list('universes')) {
    const universe = decode((await files.read(name))?.toString('utf8') ?? '')
    if (universe !== null) kept.push(universe)
  }
  return kept
}

function decode(text: string): KeptUniverse | null {
  try {
    const kept = JSON.parse(text) as { format: number; sha256: string; universe: KeptUniverse }
    const { format, universe } = kept
    return format === FORMAT && sha256(JSON.stringify(universe)) === kept.sha256 ? universe : null
  } catch {
    return null
  }
}
