/** Makes the lines of a block from the WHAT of its first line. @throws Error that names the known ones */
export type BlockLines = (what: string) => readonly string[]

const BEGIN_PATTERN = /^<!-- (\w+): (.*) -->$/
const END_PATTERN = /^<!-- (\w+) end; npm run docs -->$/

/**
 * Fills the blocks of a hand-written page. A block stands between a line `<!-- KIND: WHAT -->` and a line `<!-- KIND
 * end; npm run docs -->`.
 *
 * @param file of the page, for errors
 * @throws Error that names the line of a block without an end, or with an unknown KIND or WHAT
 */
export function fillBlocks(
  file: string,
  text: string,
  kinds: Readonly<Record<string, BlockLines>>,
): string {
  const filled: string[] = []
  let open: { kind: string; where: string } | null = null
  const endless = ({ kind, where }: { kind: string; where: string }): Error =>
    new Error(`${where}: a block without an end: <!-- ${kind} end; npm run docs -->`)
  for (const [index, line] of text.split('\n').entries()) {
    const where = `${file}:${index + 1}`
    const [, kind = '', what = ''] = BEGIN_PATTERN.exec(line) ?? []
    const ended = END_PATTERN.exec(line)?.[1]
    if (kind !== '') {
      if (open !== null) throw endless(open)
      open = { kind, where }
      filled.push(line, ...linesOf(kinds[kind], { kind, what, where }))
    } else if (ended !== undefined) {
      if (open?.kind !== ended) throw new Error(`${where}: the end of no block`)
      open = null
    }
    if (open === null) filled.push(line)
  }
  if (open !== null) throw endless(open)
  return filled.join('\n')
}

function linesOf(
  lines: BlockLines | undefined,
  { kind, what, where }: { kind: string; what: string; where: string },
): readonly string[] {
  try {
    if (lines === undefined) throw new Error(`no kind of block is called ${kind}`)
    return lines(what)
  } catch (cause) {
    throw new Error(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
}
