import { afterAll, beforeAll } from 'vitest'
import { startS3 } from './minio.ts'
import type { TestS3 } from './minio.ts'
import { startPostgres } from './postgres.ts'
import type { TestPostgres } from './postgres.ts'

/** A PostgreSQL and an S3 service for the tests of a file; there once its first test begins. */
export interface LakeServices {
  postgres: TestPostgres
  s3: TestS3
}

/** Starts both before the tests of this file, with S3's credentials in the environment, and stops them after. */
export function lakeServices(): LakeServices {
  const services = {} as LakeServices
  beforeAll(async () => {
    services.postgres = await startPostgres()
    services.s3 = await startS3()
    Object.assign(process.env, services.s3.env)
  })
  afterAll(async () => {
    await services.postgres.remove()
    await services.s3.remove()
  })
  return services
}
