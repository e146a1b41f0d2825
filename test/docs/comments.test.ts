import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ARROWS } from '../arrows.ts'
import { sourceFiles } from '../imports-of.ts'
import { REPOSITORY } from './page-text.ts'

/** Comments on lines of their own; their lines stand together as prose. */
const COMMENT = /^[ \t]*\/\*\*[^]*?\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm
/** A sentence that hides its subject: at the start of a comment or of a paragraph, or behind a full stop. */
const HIDDEN_SUBJECT = /(?:^|[.:?!)] |\n)(?:What|Who|Whoever|Whom|Whatever|It|That which)\b[^.\n]*/

function proseOf(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/) ?/, ''))
  return lines.join(' ').replace(/ {2,}/g, '\n').trim()
}

test('no sentence of a comment has what, who or a bare it as its subject (CONTRIBUTING.md)', () => {
  const rooms = Object.keys(ARROWS)
  const hidden = rooms.flatMap(sourceFiles).flatMap((file) => {
    const comments = readFileSync(join(REPOSITORY, file), 'utf8').match(COMMENT) ?? []
    const found = comments.map((comment) => HIDDEN_SUBJECT.exec(proseOf(comment))?.[0].trim())
    return found.filter((words) => words !== undefined).map((words) => `${file}: ${words}`)
  })
  expect(hidden).toEqual([])
})
