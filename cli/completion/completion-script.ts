import type { OptionWords, VerbWords } from './known-words.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

export function completionScript(shell: Shell, verbs: readonly VerbWords[]): string {
  return { bash, zsh, fish }[shell](verbs)
}

const flags = (options: readonly OptionWords[]): string[] =>
  options.flatMap(({ long, short }) => (short === null ? [long] : [long, short]))

/** Bash completes files where no words are known. */
function bash(verbs: readonly VerbWords[]): string {
  const cases = verbs.map(({ name, words, options }) => {
    const values = options
      .filter(({ takesValue }) => takesValue)
      .map((option) => `        ${flags([option]).join('|')}) ${wordsOf(option.values)}; return ;;`)
    return `    ${name})
      case $before in
${values.join('\n')}
      esac
      if [[ $cur == -* ]]; then ${wordsOf(flags(options))}; else ${wordsOf(words)}; fi ;;`
  })
  return `# source <(coinlake completion bash)
_coinlake() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} verb=
  ((COMP_CWORD > 1)) && verb=\${COMP_WORDS[1]}
  COMPREPLY=()
  case $verb in
    '') ${wordsOf(verbs.map(({ name }) => name))} ;;
${cases.join('\n')}
  esac
}
complete -o default -F _coinlake coinlake
`
}

function wordsOf(words: readonly string[]): string {
  return words.length === 0 ? ':' : `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$cur"))`
}

function zsh(verbs: readonly VerbWords[]): string {
  const cases = verbs.map(({ name, words, options }) => {
    const specs = options.flatMap(({ long, short, text, takesValue, values }) => {
      const what = takesValue
        ? `:value:${values.length === 0 ? '_files' : `(${values.join(' ')})`}`
        : ''
      const names = short === null ? [long] : [long, short]
      return names.map((one) => quoted(`*${one}[${text.replaceAll(/[[\]:]/g, ' ')}]${what}`))
    })
    const rest = words.length === 0 ? '*:file:_files' : `*:word:(${words.join(' ')})`
    return `    ${name}) _arguments -S ${[...specs, quoted(rest)].join(' ')} ;;`
  })
  return `#compdef coinlake
# source <(coinlake completion zsh)
_coinlake() {
  local -a verbs=(${verbs.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')})
  if ((CURRENT == 2)); then _describe command verbs; return; fi
  shift words; ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _coinlake coinlake
`
}

function fish(verbs: readonly VerbWords[]): string {
  const lines = verbs.flatMap(({ name, summary, words, options }) => [
    `complete -c coinlake -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...(words.length === 0 ? [] : [`${fishCommand(name)} -f -a ${quoted(words.join(' '))}`]),
    ...options.map(({ long, short, text, takesValue, values }) => {
      const letter = short === null ? '' : ` -s ${short.slice(1)}`
      const value = takesValue ? ' -r' : ''
      const known = values.length === 0 ? '' : ` -f -a ${quoted(values.join(' '))}`
      return `${fishCommand(name)} -l ${long.slice(2)}${letter}${value}${known} -d ${quoted(text)}`
    }),
  ])
  return `# coinlake completion fish | source\n${lines.join('\n')}\n`
}

const fishCommand = (verb: string): string =>
  `complete -c coinlake -n '__fish_seen_subcommand_from ${verb}'`

/** All three shells read single quotes alike, unless one is inside. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
