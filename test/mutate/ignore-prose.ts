/** A node of a syntax tree and the one above, as StrykerJS's parser gives them. */
interface Place {
  node: Node
  parent: { type: string; callee?: { name?: string } } | null
}
type Node =
  | { type: 'StringLiteral'; value: string }
  | { type: 'TemplateLiteral'; quasis: { value: { raw: string } }[] }
  | { type: 'other' }

/** Text that people read: two words with a blank between them. */
const PROSE = /[\p{L}\d,;:.)`'"] +[\p{L}(`'"]/u
/** SQL is code. */
const SQL = /\b[A-Z]{2,}\b/

/**
 * Tells StrykerJS to leave out sentences, because an error's words are for people and tests hold its code and numbers;
 * and names of crash points, which the tests that kill processes go through.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore({ node, parent }: Place): string | undefined {
        const text = textOf(node)
        if (text === undefined) return undefined
        const isSentence = PROSE.test(text) && !SQL.test(text)
        return isSentence || parent?.callee?.name === 'crashPoint' ? 'prose' : undefined
      },
    },
  },
]

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('0')
  return undefined
}
