import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** A text that grows: a start, and what is repeated until a match fails. */
export interface Pump {
  before: string
  repeated: string
}

/** Beside the characters of an expression itself: one of each kind that classes tell apart. */
const KINDS = Array.from('aZ0_ -.é\n\u0001')
/** A text that hardly any expression wants to see where it ends. */
const END = '\n\u0001'
/** From here on a repetition is as good as unbounded. */
const UNBOUNDED = 1_000
const MOST_VARIANTS = 8

/**
 * Texts that can make a backtracking engine slow on an expression. Each unbounded repetition gets each kind of character
 * that the expression tells apart. Once behind the text that leads to it: `<title` and then `xxxx...`. Once with that
 * text repeated: `<title<title...`.
 */
export function pumpedTexts(source: string, flags: string): Pump[] {
  const parser = new RegExpParser()
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const pattern = parser.parsePattern(source, 0, source.length, mode)
  const texts = new TextsOf(pattern, flags)
  const pumps = new Map<string, Pump>()
  for (const { quantifier, lead: elements } of repetitions(pattern, [])) {
    const leads = [...new Set(texts.of(elements))]
    for (const fed of texts.of([quantifier.element])) {
      for (const before of leads) {
        for (const [lead, repeated] of [
          [before, fed],
          ['', before + fed],
        ] as const) {
          if (repeated !== '')
            pumps.set(JSON.stringify([lead, repeated]), { before: lead, repeated })
        }
      }
    }
  }
  return [...pumps.values()]
}

export function pumped({ before, repeated }: Pump, chars: number): string {
  return before + repeated.repeat(Math.ceil(chars / repeated.length)) + END
}

interface Repetition {
  quantifier: AST.Quantifier
  /** The elements before it, from the start of the expression. */
  lead: AST.Element[]
}

function* repetitions(node: AST.Node, lead: AST.Element[]): Generator<Repetition> {
  if ('alternatives' in node) {
    for (const { elements } of node.alternatives as AST.Alternative[]) {
      for (const [at, element] of elements.entries()) {
        yield* repetitions(element, [...lead, ...elements.slice(0, at)])
      }
    }
  } else if (node.type === 'Quantifier') {
    if (node.max >= UNBOUNDED) yield { quantifier: node, lead }
    yield* repetitions(node.element, lead)
  }
}

/** Texts that parts of an expression match. */
class TextsOf {
  readonly #flags: string
  /** One character of each kind that the expression tells apart. */
  readonly #alphabet: string[]

  constructor(pattern: AST.Pattern, flags: string) {
    this.#flags = flags.replace(/[gy]/g, '')
    const atoms = [...pattern.raw.matchAll(/\\?[^]/gu)].map(([raw]) => raw.at(-1)!)
    const characters = [...new Set([...atoms, ...KINDS])]
    const classes = [...leaves(pattern)].map((raw) => this.#only(raw))
    const kinds = new Map<string, string>()
    for (const one of characters) {
      const kind = classes.map((only) => (only.test(one) ? 1 : 0)).join('')
      if (!kinds.has(kind)) kinds.set(kind, one)
    }
    this.#alphabet = [...kinds.values()]
  }

  of(elements: readonly AST.Element[]): string[] {
    const texts = elements.reduce<string[]>(
      (before, element) => {
        const each = this.#ofOne(element)
        return before.flatMap((text) => each.map((one) => text + one)).slice(0, MOST_VARIANTS)
      },
      [''],
    )
    return [...new Set(texts)]
  }

  #ofOne(element: AST.Element): string[] {
    if (element.type === 'Character') return [String.fromCodePoint(element.value)]
    if (element.type === 'Assertion' || element.type === 'Backreference') return ['']
    if (element.type === 'Quantifier') {
      const once = this.#ofOne(element.element)
      const least = once.map((text) => text.repeat(element.min))
      return [...new Set([...least, ...once])]
    }
    if ('alternatives' in element) {
      return element.alternatives.flatMap((one) => this.of(one.elements))
    }
    const only = this.#only(element.raw)
    return this.#alphabet.filter((one) => only.test(one))
  }

  #only(raw: string): RegExp {
    return new RegExp(`^(?:${raw})$`, this.#flags)
  }
}

/** Classes and characters of an expression, as they are written. */
function* leaves(node: AST.Node): Generator<string> {
  if ('alternatives' in node) {
    for (const { elements } of node.alternatives as AST.Alternative[]) {
      for (const element of elements) yield* leaves(element)
    }
  } else if (node.type === 'Quantifier') yield* leaves(node.element)
  else if (node.type !== 'Assertion' && node.type !== 'Backreference') yield node.raw
}
