/** What the service takes for AWS: the real table and bucket behind planned faults, a scripted workflow and queue. */
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind, Faults } from './faults.ts';
import type { ScriptedQueue } from './scripted-queue.ts';
import type { ScriptedWorkflow } from './scripted-workflow.ts';

/** What one run of the model puts behind the endpoint. */
export interface BehindEndpoint {
  readonly faults: Faults;
  readonly workflow: ScriptedWorkflow;
  readonly queue: ScriptedQueue;
  /** A back end's answer to a webhook: a status, or nothing at all. */
  receive(body: string): number | 'hang up';
}

export interface AwsEndpoint {
  readonly url: string;
  serve(behind: BehindEndpoint): void;
  close(): Promise<void>;
}

/** The real ones. */
export interface Backends {
  readonly databaseUrl: string;
  readonly storageUrl: string;
}

interface Reply {
  readonly status: number;
  readonly body: Buffer | string;
  readonly headers?: OutgoingHttpHeaders;
}

const lateMs = 15;

/** A refusal as the table's protocol words it. */
const refuse = (name: string, more: object = {}): Reply => ({
  status: 400,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more }),
});

/** A refusal as the bucket's protocol words it. */
const slowDown: Reply = {
  status: 503,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>SlowDown</Message></Error>',
};

/** The table's and the bucket's own refusals. */
function refusalOf(kind: FaultKind, operation: string): Reply | undefined {
  const canceled = (Code: string) => refuse('TransactionCanceledException', { CancellationReasons: [{ Code }] });
  const isTransaction = operation === 'TransactWriteItems';
  if (kind === 'conflict')
    return isTransaction ? canceled('TransactionConflict') : refuse('TransactionConflictException');
  if (kind !== 'throttled') return undefined;
  if (operation === 'PutObject') return slowDown;
  return isTransaction ? canceled('ThrottlingError') : refuse('ProvisionedThroughputExceededException');
}

/** What concerns one connection alone; the server has answered an expectation already. */
const ofTheConnection = new Set(['connection', 'expect', 'keep-alive', 'transfer-encoding']);

const forwarded = (headers: IncomingMessage['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.has(name)));

/** Sends on exactly what came, whatever its own encoding, and gives back exactly what is answered. */
async function forward(incoming: IncomingMessage, body: Buffer, endpoint: string, agent: Agent): Promise<Reply> {
  const { method = 'POST', url = '/' } = incoming;
  const headers = { ...forwarded(incoming.headers), 'content-length': body.length };
  const outgoing = request(new URL(url, endpoint), { agent, headers, method });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, headers: forwarded(response.headers), body: await buffer(response) };
}

const send = (response: ServerResponse, { status, headers, body }: Reply) =>
  response.writeHead(status, headers ?? { 'content-type': 'application/x-amz-json-1.0' }).end(body);

/** The operation that a request names: in a header, or to the bucket in its query. */
const operationOf = ({ headers, url = '/' }: IncomingMessage): string | undefined => {
  const target = headers['x-amz-target'];
  if (target !== undefined) return String(target).split('.')[1] ?? '';
  return new URL(url, 'http://bucket').searchParams.get('x-id') ?? undefined;
};

export async function awsEndpoint({ databaseUrl, storageUrl }: Backends): Promise<AwsEndpoint> {
  const agent = new Agent({ keepAlive: true });
  let behind: BehindEndpoint | undefined;

  async function act(incoming: IncomingMessage, body: Buffer, operation: string): Promise<Reply> {
    const service = incoming.headers['x-amz-target']?.toString().split('.')[0];
    if (service === undefined) return forward(incoming, body, storageUrl, agent);
    if (service === 'DynamoDB_20120810') return forward(incoming, body, databaseUrl, agent);
    const parsed = JSON.parse(body.toString()) as Record<string, string>;
    const answer = service === 'AmazonSQS' ? behind?.queue.answer(parsed) : behind?.workflow.answer(operation, parsed);
    return { status: answer?.status ?? 503, body: JSON.stringify(answer?.body ?? {}) };
  }

  async function answerAws(incoming: IncomingMessage, response: ServerResponse, operation: string): Promise<void> {
    const body = await buffer(incoming);
    const fault = await behind?.faults.meet(operation);
    if (fault === 'refused') {
      response.destroy();
      return;
    }
    const refusal = fault && refusalOf(fault, operation);
    if (fault === 'late') await sleep(lateMs);
    const reply = refusal ?? (await act(incoming, body, operation));
    if (fault === 'lost') response.destroy();
    else send(response, reply);
  }

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = behind?.receive(await text(incoming)) ?? 503;
    if (status === 'hang up') response.destroy();
    else response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  }

  const server = createServer((incoming, response) => {
    const operation = operationOf(incoming);
    const answering = operation === undefined ? receive(incoming, response) : answerAws(incoming, response, operation);
    answering.catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve(next) {
      behind = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      agent.destroy();
    },
  };
}
