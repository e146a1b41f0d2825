import type { RecordField } from './record-field.ts'

/** The place of fields in the body of an operation. */
export interface BodyPart {
  /** Path of the object with the fields: `$[*]`, `$.coins[*].item`, `$.rates.*`. */
  at: string
  fields: readonly RecordField[]
  /** Each field is a map or a list of values. The rest of its path leads into each value. */
  each?: 'map' | 'list'
}
