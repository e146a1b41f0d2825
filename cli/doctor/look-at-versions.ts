import { availableParallelism } from 'node:os'
import { DuckDBInstance } from '@duckdb/node-api'
import { machineMemoryBytes } from '../../config/machine-memory.ts'
import { bytes } from '../render/quantities.ts'
import { coinlakeVersion } from '../version.ts'
import { faultOf, fine, type Finding } from './finding.ts'

const ABOUT = 'versions'

/** Shows the running versions, and checks that DuckDB's native code loads on this machine. */
export async function lookAtVersions(): Promise<Finding> {
  try {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const [[duckdb] = []] = (await connection.runAndReadAll('SELECT version()')).getRows()
    connection.closeSync()
    instance.closeSync()
    const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, ${bytes(machineMemoryBytes())}`
    const versions = `coinlake ${coinlakeVersion}, Node ${process.version}, DuckDB ${String(duckdb)}`
    return fine(ABOUT, `${versions}; ${machine}`)
  } catch (error) {
    return faultOf(ABOUT, error)
  }
}
