/** Nodes of a syntax tree, as StrykerJS's parser gives them. */
type Node =
  | { type: 'ExpressionStatement'; expression: { callee?: { name?: string } } }
  | { type: 'StringLiteral'; value: string }
  | { type: 'TemplateLiteral'; quasis: { value: { raw: string } }[] }
  | { type: 'other' }

/** Text that people read: two words with a blank between them. */
const PROSE = /[\p{L}\d,;:.)`'"] +[\p{L}(`'"]/u
/** SQL is code. */
const SQL = /\b[A-Z]{2,}\b/

/**
 * Tells StrykerJS to leave out sentences, because an error's words are for people and tests hold its code and numbers;
 * and crash points, which the tests that kill processes go through.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore({ node }: { node: Node }): string | undefined {
        if (node.type === 'ExpressionStatement') {
          return node.expression.callee?.name === 'crashPoint' ? 'a crash point' : undefined
        }
        const text = textOf(node)
        const isSentence = text !== undefined && PROSE.test(text) && !SQL.test(text)
        return isSentence ? 'prose' : undefined
      },
    },
  },
]

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('0')
  return undefined
}
