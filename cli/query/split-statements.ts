/** A semicolon, or the start of a text, a quoted name or a comment, in which a semicolon ends no statement. */
const MARK_PATTERN = /[eE]'|['";]|--|\/\*|\$\w*\$/g

/** Whether SQL holds nothing but comments and semicolons, for which the driver has no error message. */
export function hasNoStatement(sql: string): boolean {
  let at = firstWordAt(sql)
  while (sql[at] === ';') at = firstWordAt(sql, at + 1)
  return at >= sql.length
}

export function firstWordAt(sql: string, from = 0): number {
  const blank = /\s*/y
  for (let at = from; ;) {
    blank.lastIndex = at
    blank.exec(sql)
    at = blank.lastIndex
    const mark = sql.slice(at, at + 2)
    if (mark !== '--' && mark !== '/*') return at
    at = endOf(sql, mark, at + mark.length)
  }
}

/**
 * The statements of a script, unchanged but for their semicolons. A wrong cut becomes an error, because
 * cli/query/checked-statements.ts lets DuckDB count the statements of each part.
 */
export function splitStatements(sql: string): string[] {
  const parts: string[] = []
  let from = 0
  MARK_PATTERN.lastIndex = 0
  for (let found = MARK_PATTERN.exec(sql); found !== null; found = MARK_PATTERN.exec(sql)) {
    if (found[0] === ';') {
      parts.push(sql.slice(from, found.index))
      from = found.index + 1
    } else {
      MARK_PATTERN.lastIndex = endOf(sql, found[0], MARK_PATTERN.lastIndex)
    }
  }
  parts.push(sql.slice(from))
  return parts.filter((part) => !hasNoStatement(part))
}

/** The place after the text, name or comment that `mark` opens. @param at the place after the mark */
function endOf(sql: string, mark: string, at: number): number {
  if (mark === '/*') return endOfComment(sql, at)
  if (mark.length === 2 && mark.endsWith("'")) return endOfEscaped(sql, at)
  // A doubled quote ends one text and begins another, which comes to the same.
  const end = mark === '--' ? '\n' : mark
  const found = sql.indexOf(end, at)
  return found === -1 ? sql.length : found + end.length
}

/** Comments nest. */
function endOfComment(sql: string, at: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = at
  for (let depth = 1, found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return sql.length
}

/** `E'...'`: a backslash takes the next character along. */
function endOfEscaped(sql: string, at: number): number {
  const mark = /\\[^]|'/g
  mark.lastIndex = at
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    if (found[0] === "'") return mark.lastIndex
  }
  return sql.length
}
