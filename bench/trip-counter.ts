/**
 * Counts requests to DynamoDB and Step Functions while a function runs, and determines which of these trips are
 * sequential.
 */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Trip, TripTo } from './trip.ts';

export interface TripCounter {
  /** Environment variables that route SDK clients created from now on through the counter. */
  readonly environment: Readonly<Record<'AWS_ENDPOINT_URL_DYNAMODB' | 'AWS_ENDPOINT_URL_SFN', string>>;
  /** Every round trip that begins while the function runs, including those that nothing awaits. */
  during(work: () => Promise<unknown>): Promise<Trip[]>;
  close(): Promise<void>;
}

export interface TripCounterOptions {
  /** The endpoints behind the counter. */
  readonly endpoints: Readonly<Record<TripTo, string>>;
  /** A delay added to every counted trip: long enough that concurrent trips always overlap. */
  readonly delayMs: number;
}

const turnMs = 5;

/** The first part of `X-Amz-Target` distinguishes the two services. */
const services: Readonly<Record<string, TripTo>> = {
  DynamoDB_20120810: 'DynamoDB',
  AWSStepFunctions: 'Step Functions',
};

/** Adds the request for consumed capacity to a signed body: DynamoDB Local does not verify signatures. */
const withConsumedCapacity = (body: string): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), ReturnConsumedCapacity: 'TOTAL' });

/** A batch or transaction reports capacity per table. */
function capacityOf(response: string): number {
  const { ConsumedCapacity: charges = [] } = JSON.parse(response) as { ConsumedCapacity?: Charge | Charge[] };
  return [charges].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

interface Charge {
  readonly CapacityUnits: number;
}

interface Forwarded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function forward(incoming: IncomingMessage, body: string, endpoint: string, agent: Agent): Promise<Forwarded> {
  const { method = 'POST', url = '/' } = incoming;
  const headers = { ...incoming.headers, 'content-length': Buffer.byteLength(body) };
  const outgoing = request(new URL(url, endpoint), { agent, headers, method });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, headers: response.headers, body: await text(response) };
}

/** Tracks trips, and waits until none is in progress. */
function tripLog() {
  const trips: Trip[] = [];
  const underWay = new Set<Promise<unknown>>();
  return {
    trips,
    /** `work` returns the capacity units that it consumed. */
    async noting(to: TripTo, operation: string, work: () => Promise<number>): Promise<void> {
      const endedAt = Number.POSITIVE_INFINITY;
      const trip = { to, operation, startedAt: performance.now(), endedAt, capacityUnits: 0 };
      trips.push(trip);
      const working = work();
      underWay.add(working);
      try {
        trip.capacityUnits = await working;
      } finally {
        trip.endedAt = performance.now();
        underWay.delete(working);
      }
    },
    async quiet(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/**
 * Waits for turns of the event loop, in which the service sends what is ready, so that concurrent trips overlap at any
 * load.
 */
async function turns(delayMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < delayMs; passedMs += turnMs) await sleep(turnMs);
}

async function startProxy(respond: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>) {
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function startTripCounter({ endpoints, delayMs }: TripCounterOptions): Promise<TripCounter> {
  const agent = new Agent({ keepAlive: true });
  const log = tripLog();
  let counted = 0;

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [service = '', operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    const to = services[service];
    if (!to) throw new Error(`${service} is not a counted service`);
    await log.noting(to, operation, async () => {
      const isDatabase = to === 'DynamoDB';
      const sent = await text(incoming);
      const forwarded = forward(incoming, isDatabase ? withConsumedCapacity(sent) : sent, endpoints[to], agent);
      const [{ status, headers, body }] = await Promise.all([forwarded, counted > 0 && turns(delayMs)]);
      outgoing.writeHead(status, headers).end(body);
      return isDatabase ? capacityOf(body) : 0;
    });
  }

  const { server, url } = await startProxy(respond);
  return {
    environment: { AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ENDPOINT_URL_SFN: url },
    async during(work) {
      await log.quiet();
      const before = log.trips.length;
      counted += 1;
      try {
        await work();
        await log.quiet();
      } finally {
        counted -= 1;
      }
      return log.trips.slice(before);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      agent.destroy();
    },
  };
}
