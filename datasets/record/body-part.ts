import type { RecordField } from './record-field.ts'

/** The place of fields in the body of an operation, for the OpenAPI document. */
export interface BodyPart {
  /** Path of the object that has them: `$[*]`, `$.coins[*].item`, `$.rates.*`. */
  at: string
  fields: readonly RecordField[]
  /** Each field is a map or a list of values; the rest of its path leads into each value. */
  each?: 'map' | 'list'
}
