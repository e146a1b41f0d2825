import { z } from 'zod'
import { DURATION_PATTERN } from './duration.ts'

// The structure of what watches a warehouse: freshness, alerts, metrics, log. What a text means is
// read by read-watching.ts.

/** Events of an alert: how a run ended, one that stands still, data older than they should be, and either well again. */
export const ALERT_EVENTS = ['partial', 'failed', 'stalled', 'stale', 'recovered'] as const
export const LOG_FORMATS = ['text', 'json'] as const
export const LOG_LEVELS = ['debug', 'info', 'warn'] as const

const text = (description: string, more: Record<string, unknown> = {}) =>
  z.string({ error: 'must be text' }).meta({ description, ...more })

const keysOnly = { error: 'must be a map of keys and values' }

export const freshnessSchema = z
  .record(
    z.string(),
    z.string({ error: 'must be text' }).meta({ pattern: DURATION_PATTERN, examples: ['5h'] }),
    { error: 'must be a map of dataset names and durations' },
  )
  .describe(
    'By dataset, or by order (DATASET/NAME), how old its newest point may be before it is stale. Default: twice its step or twice the time between windows of its schedule, and what settles until then.',
  )

export const alertsSchema = z
  .strictObject(
    {
      webhook: text(
        'Where alerts are sent to as JSON (POST). Write ${NAME} to take it from the environment: such addresses are secrets.',
        { examples: ['${COINLAKE_ALERT_WEBHOOK}'] },
      ).optional(),
      webhook_file: text('A file that holds that address; relative to this file.').optional(),
      command: z
        .array(z.string({ error: 'must be text' }), { error: 'must be a list: program, arguments' })
        .min(1, { error: 'must not be empty' })
        .meta({
          description:
            'A program and its arguments, instead of a webhook; it gets the alert as JSON on standard input. No shell.',
          examples: [['/usr/local/bin/page-me', '--team', 'data']],
        })
        .optional(),
      on: z
        .union([z.string(), z.array(z.string(), { error: 'must be a list' })], {
          error: 'must be a list, or one text with commas',
        })
        .meta({
          description:
            'What is told: partial and failed runs, stale data, and that what was told of is well again. Default: all four.',
          examples: [[...ALERT_EVENTS]],
        })
        .optional(),
    },
    keysOnly,
  )
  .describe('Who is told when a run fails or data grow old.')

export const metricsSchema = z
  .strictObject(
    {
      prometheus: z
        .union([z.string(), z.number()], { error: 'must be a port, or host:port' })
        .meta({
          description:
            'Port, or host:port, where /metrics is served while a process works. A port alone is on 127.0.0.1.',
          examples: [9464, '127.0.0.1:9464'],
        })
        .optional(),
      otlp: text('Address of an OpenTelemetry collector (OTLP over HTTP), instead of prometheus.', {
        examples: ['http://127.0.0.1:4318/v1/metrics'],
      }).optional(),
    },
    keysOnly,
  )
  .describe("Metrics of Temporal's workers and of coinlake, from one place. Default: none.")

export const logSchema = z
  .strictObject(
    {
      format: text(
        'What a command that works says on stderr: text for people, or the JSON lines of its log. Default: text.',
        { enum: [...LOG_FORMATS] },
      ).optional(),
      level: text('How much is logged: debug has a line for each page. Default: info.', {
        enum: [...LOG_LEVELS],
      }).optional(),
      keep: text('How long log files in state/logs stay. Default: 30d.', {
        pattern: DURATION_PATTERN,
        examples: ['30d'],
      }).optional(),
    },
    keysOnly,
  )
  .describe('The log of the processes that work on the warehouse.')
