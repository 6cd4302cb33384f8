/** SQS and S3, provided by fauxqs in this process: the queues with their dead-letter queues, and the buckets. */
import diagnosticsChannel from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { makePrivateFolder } from '../../fakes/private-folder.ts';
import { formBytes } from '../../shared/contracts/uploads.ts';
import { deadLettersKeptSeconds, type QueueName, queueNames, queues } from '../hosting.ts';
import { localAccess } from './local-access.ts';
import { localAccountId, localArn, localRegion } from './local-arn.ts';
import { type Injectable, objectParts } from './object-parts.ts';
import { inPieces, isReadable, isStrange } from './storage-guard.ts';

export interface QueuesAndStorage {
  /** The endpoint of both SQS and S3 (path style). */
  readonly url: string;
  readonly queueUrls: Readonly<Record<QueueName, string>>;
  readonly deadLetterUrls: Readonly<Record<QueueName, string>>;
  readonly resultsBucket: string;
  readonly inputsBucket: string;
  readonly close: () => Promise<void>;
}

export interface QueuesAndStorageOptions {
  /** The directory of the contents; if absent, they are in memory. */
  readonly dataDir?: string;
  /** Overrides the visibility timeout of the queues. */
  readonly visibilityTimeoutSeconds?: number;
  readonly port?: number;
}

const localNames: Readonly<Record<QueueName, string>> = {
  webhooks: 'webhooks',
  paymentEvents: 'payment-events',
  inbox: 'inbox',
};
const deadLettersOf = (name: string): string => `${name}-dead-letters`;
const resultsBucket = 'results';
const inputsBucket = 'inputs';

/**
 * Starts fauxqs. A restart with the same `dataDir` restores queues, messages and objects. A message that was received
 * but not deleted stays invisible until its visibility timeout has passed, even across a restart.
 */
export async function startQueuesAndStorage(options: QueuesAndStorageOptions): Promise<QueuesAndStorage> {
  if (options.dataDir !== undefined) makePrivateFolder(options.dataDir);
  const stopRaising = takeAnyFile();
  const server = await startFauxqs({
    port: options.port ?? 0,
    logger: false,
    defaultRegion: localRegion,
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
  });
  stopRaising();
  const stopRejecting = rejectOtherMachines(server.port);
  const close = async (): Promise<void> => {
    await server.stop();
    stopRejecting();
  };
  const url = `http://127.0.0.1:${server.port}`;
  try {
    await provideQueues(server, url, options.visibilityTimeoutSeconds);
    for (const bucket of [resultsBucket, inputsBucket]) server.createBucket(bucket);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    queueUrls: urlsOf((name) => queueUrl(url, localNames[name])),
    deadLetterUrls: urlsOf((name) => queueUrl(url, deadLettersOf(localNames[name]))),
    resultsBucket,
    inputsBucket,
    close,
  };
}

/** fauxqs returns queue URLs with a host that not every machine resolves, but reads only their path. */
const queueUrl = (url: string, queue: string): string => `${url}/${localAccountId}/${queue}`;

const urlsOf = (urlOf: (name: QueueName) => string): Readonly<Record<QueueName, string>> => ({
  webhooks: urlOf('webhooks'),
  paymentEvents: urlOf('paymentEvents'),
  inbox: urlOf('inbox'),
});

async function provideQueues(server: FauxqsServer, url: string, visibilityTimeoutSeconds?: number): Promise<void> {
  const sqs = new SQSClient(localAccess(url));
  const provide = async (queue: string, attributes: Record<string, string>): Promise<void> => {
    // A queue that was loaded from disk is not created again, because that would replace it and lose its messages.
    if (server.inspectQueue(queue) === undefined) server.createQueue(queue, { attributes });
    else await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(url, queue), Attributes: attributes }));
  };
  try {
    for (const name of queueNames) {
      const { delaySeconds, maxReceiveCount, ...hosted } = queues[name];
      const deadLetters = deadLettersOf(localNames[name]);
      await provide(deadLetters, { MessageRetentionPeriod: String(deadLettersKeptSeconds) });
      await provide(localNames[name], {
        DelaySeconds: String(delaySeconds),
        VisibilityTimeout: String(visibilityTimeoutSeconds ?? hosted.visibilityTimeoutSeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: localArn('sqs', deadLetters), maxReceiveCount }),
      });
    }
  } finally {
    sqs.destroy();
  }
}

/** The largest object: an upload by form, which is stored in one request with checksums. */
const largestObjectBytes = formBytes + 2 ** 20;

interface RouteOptions {
  readonly method: string | string[];
  bodyLimit?: number;
}

interface Reply {
  headers(values: Readonly<Record<string, unknown>>): Reply;
  code(status: number): Reply;
  send(body?: Buffer): Reply;
}

interface HttpServer extends Injectable {
  addHook(name: 'onRoute', hook: (route: RouteOptions) => void): void;
  addHook(
    name: 'onRequest' | 'preHandler',
    hook: (request: { readonly raw: IncomingMessage; readonly body?: unknown }, reply: Reply) => Promise<unknown>,
  ): void;
  addHook(
    name: 'preParsing',
    hook: (request: unknown, reply: Reply, payload: AsyncIterable<Uint8Array>) => Promise<Readable>,
  ): void;
}

/** What lets pages of the local dashboard, and no other pages, upload files; undefined for other origins. */
export const corsHeaders = (origin: string | undefined): Readonly<Record<string, string>> | undefined =>
  origin !== undefined && /^http:\/\/localhost:\d+$/.test(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'POST, PUT',
        'Access-Control-Allow-Headers': 'content-type',
        'Access-Control-Expose-Headers': 'ETag',
      }
    : undefined;

/**
 * Makes fauxqs accept uploads that S3 accepts, read parts of objects quickly, and refuse what it cannot read in time: by default it rejects more than 11 MiB
 * at once, curl's default content type and pages' requests. Returns a function that undoes the change, which is only
 * needed while fauxqs starts.
 */
function takeAnyFile(): () => void {
  const raise = (message: unknown): void => {
    const { fastify } = message as { fastify: HttpServer };
    fastify.addHook('onRoute', (route) => {
      if ([route.method].flat().includes('PUT')) route.bodyLimit = largestObjectBytes;
    });
    const partOf = objectParts(fastify);
    fastify.addHook('preParsing', async (_request, _reply, payload) => inPieces(payload));
    fastify.addHook('preHandler', async ({ raw: { headers, method = '', url = '' }, body }, reply) =>
      isReadable({ method, url, headers }, body) ? undefined : reply.code(400).send(),
    );
    fastify.addHook('onRequest', async ({ raw: { headers, method = '', url = '' } }, reply) => {
      const cors = corsHeaders(headers.origin);
      if (cors) reply.headers(cors);
      if (cors && method === 'OPTIONS') return reply.code(204).send();
      if (isStrange({ method, url, headers })) return reply.code(400).send();
      const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
      if (method === 'PUT' && isForm) headers['content-type'] = 'application/octet-stream';
      const part = method === 'GET' ? await partOf(url, headers) : undefined;
      if (part) return reply.code(206).headers(part.headers).send(part.body);
      return undefined;
    });
  };
  diagnosticsChannel.subscribe('fastify.initialization', raise);
  return () => void diagnosticsChannel.unsubscribe('fastify.initialization', raise);
}

/** Closes connections from other machines, because fauxqs listens on every interface and checks no credentials. */
function rejectOtherMachines(port: number): () => void {
  const reject = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port && socket.localAddress !== '127.0.0.1') socket.destroy();
  };
  diagnosticsChannel.subscribe('net.server.socket', reject);
  return () => {
    diagnosticsChannel.unsubscribe('net.server.socket', reject);
  };
}
