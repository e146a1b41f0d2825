import { z } from 'zod'

const text = (description: string, examples: string[]) =>
  z.string({ error: 'must be text' }).meta({ description, examples })

const keysOnly = { error: 'must be a map of keys and values' }

/** `store.ducklake`: see config/lake.ts. */
export const lakeSchema = z
  .strictObject(
    {
      catalog: text(
        'Where it is written down which rows count: postgres: with the words of libpq, or sqlite:FILE on one machine. No password: PGPASSWORD or PGPASSFILE has it.',
        ['postgres:dbname=lake host=db user=coinlake', 'sqlite:./catalog.sqlite'],
      ),
      data: text(
        'Where the rows lie: a folder that all workers share, relative to this file, or s3://bucket/prefix with the AWS_* environment.',
        ['s3://bucket/lake', '/mnt/lake'],
      ),
    },
    keysOnly,
  )
  .describe('A DuckLake: many workers load into it at once, on any number of machines.')

/** `store`. */
export const storeSchema = z
  .strictObject({ ducklake: lakeSchema.optional() }, keysOnly)
  .describe('The place of record. Default: a DuckDB file in the warehouse, for one worker.')
