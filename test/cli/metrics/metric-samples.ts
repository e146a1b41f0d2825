/** The value of one series at one time, as a scraper or a collector gets it. */
export interface MetricSample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** Series of one name by their label, `''` for the one without: `{ loaded: 9, failed: 1 }`. */
export function byLabel(
  samples: readonly MetricSample[],
  name: string,
  label: string,
): Record<string, number> {
  const found = samples.filter((sample) => sample.name === name)
  return Object.fromEntries(found.map(({ labels, value }) => [labels[label] ?? '', value]))
}

/** The sum of all series of a name; null when there is none. */
export function sumOf(samples: readonly MetricSample[], name: string): number | null {
  const found = samples.filter((sample) => sample.name === name)
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0)
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Reads Prometheus' text format. Lines that are neither a sample nor a comment are an error. */
export function readExposition(text: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined) throw new Error(`no sample: ${line}`)
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', of = '']) => [key, of] as const)
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
}
