import { createReadStream } from 'node:fs'
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { StageError, StageUnreachableError } from './stage-error.ts'

export interface ObjectFile {
  /** Relative to the place. */
  name: string
  sizeBytes: number
  /** By the service's clock. */
  modifiedMs: number
}

/** An object, and the service's mark (ETag) of its last write. */
export interface MarkedContent {
  content: Buffer
  mark: string
}

/** Objects below `s3://bucket/prefix`. Each is there whole or not at all. */
export interface ObjectFiles {
  /** null: the object does not exist. */
  read(name: string): Promise<Buffer | null>
  readMarked(name: string): Promise<MarkedContent | null>
  write(name: string, content: Uint8Array | string): Promise<void>
  /** Uploads a file piece by piece. The service refuses content with another hash. */
  upload(name: string, file: { path: string; sizeBytes: number; sha256: string }): Promise<void>
  /**
   * Writes over the object that was read with this `mark`; null: writes only a new object.
   *
   * @returns false when another writer was first; nothing is changed then
   * @throws StageError STAGE_S3_UNCONDITIONAL when the service has no conditional writes
   */
  replace(name: string, content: string, mark: string | null): Promise<boolean>
  /** All objects whose names begin with `prefix`, sorted by name. */
  list(prefix: string): Promise<ObjectFile[]>
  remove(names: readonly string[]): Promise<void>
}

const MAX_DELETED = 1000
const DEFAULT_REGION = 'us-east-1'

export function isS3(place: string): boolean {
  return place.startsWith('s3://')
}

/**
 * Files below a place in a bucket. The credentials are AWS's usual ones: the environment and profile files. Expired
 * ones are read anew.
 *
 * @throws StageError STAGE_S3_DENIED, STAGE_S3_UNREACHABLE from every method
 */
export function s3Files(place: string): ObjectFiles {
  const [bucket = '', ...path] = place.slice('s3://'.length).split('/')
  const prefix = path.length === 0 ? '' : `${path.join('/')}/`

  async function send<T>(
    doing: string,
    work: (sdk: typeof import('@aws-sdk/client-s3'), client: S3Client) => Promise<T>,
  ): Promise<T> {
    const { sdk, client } = await theClient()
    try {
      return await work(sdk, client)
    } catch (error) {
      throw asStageError(error, doing)
    }
  }

  async function readMarked(name: string): Promise<MarkedContent | null> {
    const Key = prefix + name
    return await send(`read s3://${bucket}/${Key}`, async (sdk, client) => {
      try {
        const found = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key }))
        const content = Buffer.from((await found.Body?.transformToByteArray()) ?? [])
        return { content, mark: found.ETag ?? '' }
      } catch (error) {
        if ((error as S3ServiceException).name === 'NoSuchKey') return null
        throw error
      }
    })
  }

  return {
    readMarked,
    read: async (name) => (await readMarked(name))?.content ?? null,
    async write(name, content) {
      const Key = prefix + name
      await send(`write s3://${bucket}/${Key}`, async (sdk, client) => {
        await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, Body: content }))
      })
    },
    async upload(name, { path, sizeBytes, sha256 }) {
      const Key = prefix + name
      await send(`write s3://${bucket}/${Key}`, async (sdk, client) => {
        const facts = {
          Body: createReadStream(path),
          ContentLength: sizeBytes,
          ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        }
        await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, ...facts }))
      })
    },
    async replace(name, content, mark) {
      const Key = prefix + name
      const condition = mark === null ? { IfNoneMatch: '*' } : { IfMatch: mark }
      return await send(`replace s3://${bucket}/${Key}`, async (sdk, client) => {
        try {
          const facts = { Bucket: bucket, Key, Body: content, ...condition }
          await client.send(new sdk.PutObjectCommand(facts))
          return true
        } catch (error) {
          const { name: fault, $metadata } = error as S3ServiceException
          if (!OVERTAKEN_NAME.test(fault) && $metadata?.httpStatusCode !== 412) throw error
        }
        // The SDK repeats a PUT whose answer was lost. The first PUT may have written the file.
        return (await readMarked(name))?.content.toString('utf8') === content
      })
    },
    async list(namePrefix) {
      const Prefix = prefix + namePrefix
      return await send(`list s3://${bucket}/${Prefix}`, async (sdk, client) => {
        const files: ObjectFile[] = []
        const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix })
        for await (const { Contents = [] } of pages) {
          for (const { Key = '', Size = 0, LastModified } of Contents) {
            const modifiedMs = LastModified?.getTime() ?? 0
            files.push({ name: Key.slice(prefix.length), sizeBytes: Size, modifiedMs })
          }
        }
        return files
      })
    },
    async remove(names) {
      for (let start = 0; start < names.length; start += MAX_DELETED) {
        const Objects = names
          .slice(start, start + MAX_DELETED)
          .map((name) => ({ Key: prefix + name }))
        await send(`remove s3://${bucket}/${Objects[0]?.Key}`, async (sdk, client) => {
          const command = new sdk.DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } })
          const { Errors: [refused] = [] } = await client.send(command)
          if (refused === undefined) return
          // A good status may report failures of single objects.
          const { Code = 'unknown', Message = '' } = refused
          throw Object.assign(new Error(`${refused.Key}: ${Message}`), { name: Code })
        })
      }
    },
  }
}

/** Another writer has written or is writing, or has removed the object. */
const OVERTAKEN_NAME = /^(?:PreconditionFailed|ConditionalRequestConflict|NoSuchKey)$/

/** The library, the client of this process, and its address; endpoint null: AWS. */
interface Loaded {
  sdk: typeof import('@aws-sdk/client-s3')
  client: S3Client
  region: string
  endpoint: string | null
}
let loaded: Promise<Loaded> | null = null

/** Keeps the SDK's notes off stderr. Its failures are thrown anyway. */
const nothing = (): void => undefined
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The client of the process. The library takes long to load, so the first use makes the client. */
function theClient(): Promise<Loaded> {
  loaded ??= (async () => {
    const sdk = await import('@aws-sdk/client-s3')
    const { env } = process
    // The environment comes before profile files. DuckDB reads no profile and gets the same settings.
    const { config } = new sdk.S3Client({ logger: SILENT })
    const endpoint = (await config.serviceConfiguredEndpoint?.()) ?? null
    const region =
      env['AWS_REGION'] ??
      env['AWS_DEFAULT_REGION'] ??
      (await config.region().catch(() => DEFAULT_REGION))
    const client = new sdk.S3Client({
      region,
      logger: SILENT,
      // Services other than AWS have no host name for each bucket.
      ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    })
    return { sdk, client, region, endpoint }
  })().catch((error: unknown) => {
    // A mended profile is read at the next use.
    loaded = null
    throw asStageError(error, 'read the settings of S3')
  })
  return loaded
}

/** DuckDB's settings for the same buckets. Credentials expire, so each use reads them anew. */
export async function s3Access(): Promise<{
  keyId: string
  secret: string
  sessionToken: string | null
  region: string
  endpoint: string | null
}> {
  const { client, region, endpoint } = await theClient()
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await client.config.credentials()
    return {
      keyId: accessKeyId,
      secret: secretAccessKey,
      sessionToken: sessionToken ?? null,
      region,
      endpoint,
    }
  } catch (error) {
    throw asStageError(error, 'find the credentials of S3')
  }
}

const DENIED_NAME =
  /^(?:AccessDenied|Expired|ExpiredToken|InvalidAccessKeyId|InvalidToken|SignatureDoesNotMatch|CredentialsProviderError|Forbidden|TokenRefreshRequired)/

function asStageError(error: unknown, doing: string): StageError {
  const { name, message, $metadata } = error as S3ServiceException
  const status = $metadata?.httpStatusCode
  const why = message === name || message === '' ? name : `${name}: ${message}`
  const text = `cannot ${doing}: ${why}${status === undefined ? '' : ` (HTTP ${status})`}`
  if (DENIED_NAME.test(name) || status === 401 || status === 403) {
    return new StageUnreachableError(text, {
      code: 'STAGE_S3_DENIED',
      hint: 'Renew the S3 credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, or AWS_PROFILE) and what they may do, then run the same command again: it goes on where it stopped.',
      cause: error,
    })
  }
  if (name === 'NoSuchBucket') {
    return new StageError(text, {
      code: 'STAGE_S3_NO_BUCKET',
      hint: 'Make the bucket, or name another with `stage.at`.',
      cause: error,
    })
  }
  if (name === 'NotImplemented' || status === 501) {
    return new StageError(text, {
      code: 'STAGE_S3_UNCONDITIONAL',
      hint: 'This service cannot write on a condition (If-Match), by which publishers keep out of each other’s way: use one that can, or leave `parquet.at` out.',
      cause: error,
    })
  }
  return new StageUnreachableError(text, {
    code: 'STAGE_S3_UNREACHABLE',
    hint: 'Look whether the S3 service (AWS_ENDPOINT_URL_S3, AWS_REGION) can be reached, then run the same command again: it goes on where it stopped.',
    cause: error,
  })
}
