import { z } from 'zod'

/** What every refusal of the interface says. */
export const ERROR_BODY = z
  .strictObject({ error: z.string().describe('What is wrong, for people') })
  .describe('A refusal')
