import type { IncomingHttpHeaders } from 'node:http'
import protobuf from 'protobufjs'
import type { MetricSample } from './metric-samples.ts'
import { listen } from '../../parts/listen.ts'

/** The parts of OpenTelemetry's metrics protocol that are read; numbers of fields as its specification has them. */
const PROTO = `
syntax = "proto3";
message Request { repeated Resource resources = 1; }
message Resource { repeated Scope scopes = 2; }
message Scope { repeated Metric metrics = 2; }
message Metric {
  string name = 1;
  string unit = 3;
  oneof data { Numbers gauge = 5; Numbers sum = 7; Histogram histogram = 9; }
}
message Numbers { repeated Number points = 1; }
message Number {
  oneof value { double real = 4; sfixed64 whole = 6; }
  repeated Attribute attributes = 7;
}
message Histogram { repeated Distribution points = 1; }
message Distribution { fixed64 count = 4; optional double sum = 5; repeated Attribute attributes = 9; }
message Attribute { string key = 1; Value value = 2; }
message Value { oneof value { string text = 1; bool flag = 2; int64 whole = 3; double real = 4; } }
`
const Request = protobuf.parse(PROTO).root.lookupType('Request')

interface Point {
  real?: number
  whole?: number
  count?: number
  attributes?: { key: string; value: { text?: string } }[]
}

interface Decoded {
  resources?: {
    scopes?: {
      metrics?: {
        name: string
        gauge?: { points?: Point[] }
        sum?: { points?: Point[] }
        histogram?: { points?: Point[] }
      }[]
    }[]
  }[]
}

/**
 * Takes metrics over HTTP on a port of its own until the test ends. Keeps what it was sent last: metrics are sent as
 * they stand, not as they changed.
 */
export async function otlpReceiver() {
  const newest = new Map<string, MetricSample>()
  let pushes = 0
  let headers: IncomingHttpHeaders = {}
  const url = await listen((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      pushes += 1
      ;({ headers } = request)
      for (const sample of samplesIn(Buffer.concat(parts))) {
        newest.set(JSON.stringify([sample.name, sample.labels]), sample)
      }
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  return {
    url: `${url}/v1/metrics`,
    /** By name and labels the newest value; of a histogram its count. */
    samples: () => [...newest.values()],
    pushes: () => pushes,
    /** Of the newest push. */
    headers: () => headers,
  }
}

function samplesIn(body: Buffer): MetricSample[] {
  const { resources = [] } = Request.toObject(Request.decode(body), { longs: Number }) as Decoded
  const metrics = resources.flatMap(({ scopes = [] }) =>
    scopes.flatMap(({ metrics: of = [] }) => of),
  )
  return metrics.flatMap(({ name, gauge, sum, histogram }) =>
    ((gauge ?? sum ?? histogram)?.points ?? []).map(
      ({ real, whole, count, attributes = [] }): MetricSample => ({
        name,
        labels: Object.fromEntries(attributes.map(({ key, value }) => [key, value.text ?? ''])),
        value: count ?? whole ?? real ?? 0,
      }),
    ),
  )
}
