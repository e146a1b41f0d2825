import type { RecordField } from './record-field.ts'

/** Where fields stand in the body of an operation: what the document of the interface says of it. */
export interface BodyPart {
  /** Path of the object that has them: `$[*]`, `$.coins[*].item`, `$.rates.*`. */
  at: string
  fields: readonly RecordField[]
  /** Each field is a map, or a list, of such values: the rest of its path stands in each. */
  each?: 'map' | 'list'
}
