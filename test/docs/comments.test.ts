import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ARROWS } from '../arrows.ts'
import { sourceFiles } from '../imports-of.ts'
import { REPOSITORY } from './page-text.ts'

/** Comments on lines of their own; their lines stand together as prose. */
const COMMENT = /^[ \t]*\/\*\*[^]*?\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm
/** A sentence that hides its subject: at the start of a comment or of a paragraph, or behind a full stop. */
const HIDDEN_SUBJECT =
  /(?:^|[.:?!)] |\n)(?:What|Who|Whose|Whoever|Whom|Whatever|It|That which)\b[^.\n]*/

const MOST_WORDS = 24
const SENTENCE_END = /[.:;?!](?=\s|$)|\n/
const LIST_ITEM = /^\s*(?:-|\d+\.|@\w+|\|)/

function proseOf(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/) ?/, ''))
  return lines.join(' ').replace(/ {2,}/g, '\n').trim()
}

/** The sentences of a comment. List items and tags begin a sentence; code in backticks counts as one word. */
function sentencesOf(comment: string): string[] {
  const lines = comment
    .replace(/`[^`]*`/g, 'code')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/) ?/, '')
        .replace('*/', '')
        .trimEnd(),
    )
  const prose = lines.map((line) => (LIST_ITEM.test(line) || line === '' ? `\n${line}` : line))
  return prose.join(' ').split(SENTENCE_END)
}

function commentsOf(file: string): string[] {
  return readFileSync(join(REPOSITORY, file), 'utf8').match(COMMENT) ?? []
}

const OTHER_FOLDERS = ['bench', 'docs', 'test']
const productFiles = Object.keys(ARROWS).flatMap(sourceFiles)

test(`no sentence of a comment has more than ${MOST_WORDS} words`, () => {
  const long = productFiles.flatMap((file) =>
    commentsOf(file)
      .flatMap(sentencesOf)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS)
      .map((sentence) => `${file}: ${sentence}`),
  )
  expect(long).toEqual([])
})

test('no sentence of a comment has what, who or a bare it as its subject (CONTRIBUTING.md)', () => {
  const hidden = [...productFiles, ...OTHER_FOLDERS.flatMap(sourceFiles)].flatMap((file) => {
    const found = commentsOf(file).map((comment) =>
      HIDDEN_SUBJECT.exec(proseOf(comment))?.[0].trim(),
    )
    return found.filter((words) => words !== undefined).map((words) => `${file}: ${words}`)
  })
  expect(hidden).toEqual([])
})
