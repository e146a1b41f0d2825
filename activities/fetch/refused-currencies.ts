import { SourceRequestError } from '../../api/errors.ts'
import type { Slice } from '../../datasets/dataset.ts'

type Place = Pick<Slice, 'dataset' | 'vsCurrency'>

/** Currencies that the source refuses for a dataset, as one run has met them in this process. */
export interface RefusedCurrencies {
  /** Fires when slices in the currency need no call. Its reason is their fault. */
  stopOf(slice: Place): AbortSignal
  /** Notes a good answer: the source has the currency after all. */
  noteAnswer(slice: Place): void
  /**
   * Notes a refused request (400). The source's own list of currencies decides, because a refusal may be a passing one,
   * or of one id or stretch.
   *
   * @param readList codes in lower case, none when the source gives no list; null = not known now, the next refusal asks
   */
  noteRefusal(slice: Place, readList: () => Promise<ReadonlySet<string> | null>): Promise<void>
}

export function refusedCurrencies(): RefusedCurrencies {
  const stops = new Map<string, AbortController>()
  const answered = new Set<string>()
  let list: Promise<ReadonlySet<string> | null> | null = null
  const keyOf = ({ dataset, vsCurrency }: Place): string => `${dataset} ${vsCurrency}`
  const stopOf = (slice: Place): AbortController => {
    const stop = stops.get(keyOf(slice)) ?? new AbortController()
    stops.set(keyOf(slice), stop)
    return stop
  }
  return {
    stopOf: (slice) => stopOf(slice).signal,
    noteAnswer(slice) {
      answered.add(keyOf(slice))
      if (stopOf(slice).signal.aborted) stops.delete(keyOf(slice))
    },
    async noteRefusal(slice, readList) {
      const { vsCurrency } = slice
      if (vsCurrency === '' || stopOf(slice).signal.aborted) return
      // Of slices refused at the same time, one reads the list.
      list ??= readList()
      const known = await list
      if (known === null) list = null
      else if (known.size > 0 && !isListed(vsCurrency, known)) {
        if (!answered.has(keyOf(slice))) stopOf(slice).abort(notAskedError(vsCurrency))
      }
    },
  }
}

/** A slice may ask for several currencies at once. One that is listed may have been refused for another reason. */
function isListed(vsCurrency: string, known: ReadonlySet<string>): boolean {
  return vsCurrency.split(',').some((code) => known.has(code.toLowerCase()))
}

function notAskedError(vsCurrency: string): SourceRequestError {
  const currency = JSON.stringify(vsCurrency)
  return new SourceRequestError(
    `no call was made: the source refused ${currency} before in this run, and its list of currencies lacks it`,
  )
}
