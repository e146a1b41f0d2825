import { Argument } from 'commander'
import type { CliCommand } from '../command.ts'
import { print } from '../effects.ts'
import { SHELLS, type Shell } from '../completion/completion-script.ts'

export const completion: CliCommand = {
  name: 'completion',
  group: 'Start',
  summary:
    'print a script that completes commands, options and datasets by Tab in bash, zsh or fish',
  examples: {
    'coinlake completion bash >> ~/.bashrc': 'for every new bash',
    'coinlake completion fish > ~/.config/fish/completions/coinlake.fish': 'for fish',
  },
  configure(command) {
    command.addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
  },
  async run(effects, args, _options, program) {
    const { completionScript } = await import('../completion/completion-script.ts')
    const { knownWords } = await import('../completion/known-words.ts')
    const script = completionScript(args[0] as Shell, knownWords(program))
    print(effects, script.trimEnd().split('\n'))
  },
}
