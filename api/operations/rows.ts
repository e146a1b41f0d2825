import { z } from 'zod'

/**
 * A list of any length whose items are not looked at here: datasets/ checks them one by one. A bare
 * test for an array, because visiting thousands of points costs as much as parsing them.
 */
export const ROWS = z.custom<readonly unknown[]>(
  (value) => Array.isArray(value),
  'expected an array',
)
