/** Makes the lines of a block from the WHAT of its first line. @throws Error that names the known ones */
export type BlockLines = (what: string) => readonly string[]

const BEGIN_PATTERN = /^<!-- \w+: /gm
/** A block contains no other, or else a block without an end would take the end of the next one. */
const BLOCK_PATTERN =
  /^(<!-- (\w+): (.*) -->\n)(?:(?!<!-- \w+: ).*\n)*?(<!-- \2 end; npm run docs -->)$/gm

/**
 * Fills the blocks of a hand-written page. A block stands between a line `<!-- KIND: WHAT -->` and a line `<!-- KIND
 * end; npm run docs -->`.
 *
 * @param file of the page, for errors
 * @throws Error for a block without an end, or with an unknown KIND or WHAT
 */
export function fillBlocks(
  file: string,
  text: string,
  kinds: Readonly<Record<string, BlockLines>>,
): string {
  let filled = 0
  const page = text.replace(
    BLOCK_PATTERN,
    (_, begin: string, kind: string, what: string, end: string) => {
      filled += 1
      const lines = kinds[kind]
      if (lines === undefined) throw new Error(`${file}: no kind of block is called ${kind}`)
      return [begin.trimEnd(), ...lines(what), end].join('\n')
    },
  )
  if (filled !== (text.match(BEGIN_PATTERN) ?? []).length) {
    throw new Error(`${file}: a block without an end: <!-- KIND end; npm run docs -->`)
  }
  return page
}
