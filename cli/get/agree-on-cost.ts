import type { Config } from '../../config/config.ts'
import { ConfigError } from '../../config/config-error.ts'
import { isStdinTerminal, say, type Effects } from '../effects.ts'
import { planText } from '../render/plan-text.ts'
import { planExport } from '../run/plan-export.ts'

/** Calls that need no consent, because they hardly count in a month. */
const FEW_CALLS = 10

/**
 * Prints the cost of a larger `get`, and asks for consent on a terminal. `--yes` (`isAgreed`) is consent, too.
 *
 * @returns false when the answer was no
 * @throws ConfigError GET_COST without a terminal
 */
export async function agreeOnCost(
  effects: Effects,
  config: Config,
  { isAgreed }: { isAgreed: boolean },
): Promise<boolean> {
  const planned = await planExport(effects, config)
  const most = planned.price.calls.max
  if (most <= FEW_CALLS) return true
  for (const line of planText(planned, config)) say(effects, line)
  if (isAgreed) return true
  // With consent, the run prints them itself.
  for (const text of planned.warnings) say(effects, `warning: ${text}`)
  if (effects.isLive && isStdinTerminal(effects)) {
    const { confirm } = await import('@clack/prompts')
    const { stdin: input, stderr: output } = effects
    return (await confirm({ input, output, message: 'Fetch it?' })) === true
  }
  throw new ConfigError(`this may take ${most} calls of your key`, {
    code: 'GET_COST',
    hint: 'Pass --yes if you want it, or ask for less: fewer coins, a later --from, daily points.',
  })
}
