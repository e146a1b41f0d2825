import { SourceRequestError } from '../../api/errors.ts'
import type { Slice } from '../../datasets/dataset.ts'

type Place = Pick<Slice, 'dataset' | 'vsCurrency'>

export type RefusedCurrencies = ReturnType<typeof refusedCurrencies>

/** Currencies that the source refuses for a dataset, as one run has met them in this process. */
export function refusedCurrencies() {
  const faults = new Map<string, SourceRequestError>()
  const answered = new Set<string>()
  let list: Promise<ReadonlySet<string> | null> | null = null
  const keyOf = ({ dataset, vsCurrency }: Place): string => `${dataset} ${vsCurrency}`
  return {
    /** The fault of a slice that needs no call; null = it is asked for. */
    faultOf: (slice: Place): SourceRequestError | null => faults.get(keyOf(slice)) ?? null,
    /** Notes a good answer: the source has the currency after all. */
    noteAnswer(slice: Place): void {
      answered.add(keyOf(slice))
      faults.delete(keyOf(slice))
    },
    /**
     * Notes a refused request (400). The source's own list of currencies decides, because a refusal may be a passing one,
     * or of one id or stretch.
     *
     * @param readList codes in lower case, none when the source gives no list; null = not known now, the next refusal asks
     */
    async noteRefusal(
      slice: Place,
      readList: () => Promise<ReadonlySet<string> | null>,
    ): Promise<void> {
      const { vsCurrency } = slice
      if (vsCurrency === '' || answered.has(keyOf(slice)) || faults.has(keyOf(slice))) return
      // Of slices refused at the same time, one reads the list.
      list ??= readList()
      const known = await list
      if (known === null) list = null
      else if (known.size > 0 && !isListed(vsCurrency, known) && !answered.has(keyOf(slice))) {
        faults.set(keyOf(slice), notAskedError(vsCurrency))
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
