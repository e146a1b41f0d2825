import type { Page } from './page-text.ts'

/** A command line that a page shows. */
export interface ShownCommand {
  where: string
  program: 'coinlake' | 'npm'
  /** The words after the program's name, split as a shell would. */
  words: string[]
}

const SHELL = new Set(['sh', 'bash', 'console', ''])
/** A word of a shell: quoted, or up to the next space. */
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/g
const ASSIGNMENT = /^[A-Z_]+=\S*$/
/** Stands for a word that the reader puts in: `<command>`, `[options]`. */
const PLACEHOLDER = /^[[<]/
/** The end of a command: words behind belong to the shell or to another command. */
const END = new Set(['|', '&&', ';', '>', '>>', '<', '2>&1', '&', '#'])

/** Every `coinlake ...` and `npm ...` in the code of a page. */
export function commandsIn(page: Page): ShownCommand[] {
  return page.code
    .filter(({ language }) => language === null || SHELL.has(language))
    .flatMap(({ where, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .flatMap((line) => commandsOf(wordsOf(line)))
        .map((command) => ({ where, ...command })),
    )
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(WORD)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
}

function commandsOf(words: readonly string[]): Omit<ShownCommand, 'where'>[] {
  const commands: Omit<ShownCommand, 'where'>[] = []
  let open: string[] = []
  const close = (): void => {
    const meant = open.filter((word, i) => (i > 0 || word !== 'npx') && !PLACEHOLDER.test(word))
    const [first, ...rest] = meant
    if (first === 'coinlake' && rest.length > 0) commands.push({ program: first, words: rest })
    if (first === 'npm') commands.push({ program: first, words: rest })
    open = []
  }
  for (const word of words) {
    if (END.has(word)) {
      close()
      if (word === '#') return commands
      // A redirection takes the next word, which then begins no command of ours.
    } else if (open.length > 0 || !ASSIGNMENT.test(word)) open.push(word)
  }
  close()
  return commands
}
