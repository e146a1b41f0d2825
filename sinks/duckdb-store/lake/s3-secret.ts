import type { DuckDBConnection } from '@duckdb/node-api'
import { quoteText } from '../../../datasets/table/ddl.ts'
import { s3Access } from '../../../stage/s3-files.ts'
import { SinkError } from '../../sink-error.ts'

/**
 * Gives a DuckDB instance the present credentials of S3. Call again in time, because those of a role expire.
 *
 * @throws StageError STAGE_S3_DENIED when there are none
 */
export async function setS3Secret(connection: DuckDBConnection): Promise<void> {
  const { keyId, secret, sessionToken, region, endpoint } = await s3Access()
  const url = endpoint === null ? null : new URL(endpoint)
  const parts = [
    'TYPE s3',
    `KEY_ID ${quoteText(keyId)}`,
    `SECRET ${quoteText(secret)}`,
    `REGION ${quoteText(region)}`,
    ...(sessionToken === null ? [] : [`SESSION_TOKEN ${quoteText(sessionToken)}`]),
    ...(url === null
      ? []
      : [
          `ENDPOINT ${quoteText(url.host)}`,
          "URL_STYLE 'path'",
          `USE_SSL ${url.protocol === 'https:'}`,
        ]),
  ]
  try {
    await connection.run(`CREATE OR REPLACE SECRET lake_s3 (${parts.join(', ')})`)
  } catch {
    // Without the cause: DuckDB's message shows the statement and so the secret.
    throw new SinkError('DuckDB does not take the credentials of S3', {
      code: 'STORE_S3_SECRET',
      hint: 'Check AWS_REGION, AWS_ENDPOINT_URL_S3 and that the key is complete.',
    })
  }
}
