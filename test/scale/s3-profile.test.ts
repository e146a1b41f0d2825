import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { s3Access, s3Files } from '../../stage/s3-files.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { startS3 } from './parts/minio.ts'

test('a profile names key, region and endpoint: pages and DuckDB’s rows go to the same service', async () => {
  const s3 = await startS3()
  onTestFinished(() => void vi.unstubAllEnvs())
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3 } = s3.env
  const file = join(tempDir(), 'config')
  writeFileSync(
    file,
    `[profile lake]
aws_access_key_id = ${AWS_ACCESS_KEY_ID}
aws_secret_access_key = ${AWS_SECRET_ACCESS_KEY}
region = eu-central-1
endpoint_url = ${AWS_ENDPOINT_URL_S3}
`,
  )
  const variables = { AWS_PROFILE: 'lake', AWS_CONFIG_FILE: file, AWS_DEFAULT_REGION: undefined }
  for (const name of Object.keys(s3.env)) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)

  expect(await s3Access()).toEqual({
    keyId: AWS_ACCESS_KEY_ID,
    secret: AWS_SECRET_ACCESS_KEY,
    sessionToken: null,
    region: 'eu-central-1',
    endpoint: AWS_ENDPOINT_URL_S3,
  })
  const files = s3Files(`s3://${s3.bucket}/stage`)
  await files.write('page', 'body')
  expect((await files.read('page'))?.toString()).toBe('body')
})
