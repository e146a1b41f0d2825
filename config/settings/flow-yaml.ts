import { stringify } from 'yaml'

const FLOW = { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 } as const

/** A value in one line of YAML: `[bitcoin, ethereum]`. */
export function flowYaml(value: unknown): string {
  return stringify(value, FLOW).trimEnd()
}
