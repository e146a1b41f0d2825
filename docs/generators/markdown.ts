export function code(text: string): string {
  return `\`${text}\``
}

/** The lines of a table. Bars in cells are escaped, because a bar ends a cell. */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)]
}

/** The lines of the part that a block asks for. @throws Error that names the known parts */
export function partOf(
  parts: Readonly<Record<string, () => readonly string[]>>,
  what: string,
): readonly string[] {
  const part = parts[what]
  if (part !== undefined) return part()
  throw new Error(`a block of ${Object.keys(parts).join(', ')}, not ${what}`)
}
