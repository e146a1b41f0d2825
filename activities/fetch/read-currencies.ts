import { SourceError } from '../../api/errors.ts'
import { type AskDeps, askSource } from './ask-source.ts'
import type { PageCalls } from './batch-time.ts'
import type { KeyRing } from './key-ring.ts'
import { PAGELESS_CODES } from './lost-requests.ts'

/**
 * Reads the source's list of currencies. The call counts for the refused page.
 *
 * @returns codes in lower case; none when the source gives no list; null = not known now: the source said wait, or the
 *   batch was stopped
 */
export async function readCurrencies(
  keys: KeyRing,
  deps: Omit<AskDeps, 'client'>,
  sliceId: string,
  pageCalls: PageCalls,
): Promise<ReadonlySet<string> | null> {
  const request = { sliceId, operation: 'simple/supported_vs_currencies', params: {} } as const
  try {
    const asked = await keys.ask((client) =>
      askSource({ ...deps, client }, request, pageCalls, async (answer) => {
        await answer.recordLost(PAGELESS_CODES.currencies)
        return { kind: 'list', json: answer.json } as const
      }),
    )
    if (asked.kind === 'throttled') return null
    const codes: unknown[] = Array.isArray(asked.json) ? asked.json : []
    return new Set(codes.map((code) => String(code).toLowerCase()))
  } catch (error) {
    return error instanceof SourceError ? new Set() : null
  }
}
