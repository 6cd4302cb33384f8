/** What the service takes for AWS: the real table behind planned faults, and a scripted workflow and queue. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
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

interface Reply {
  readonly status: number;
  readonly text: string;
}

const lateMs = 15;

/** The table's own refusals, as its protocol words them. */
function refusalOf(kind: FaultKind, operation: string): Reply | undefined {
  const refuse = (name: string, more: object = {}): Reply => ({
    status: 400,
    text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more }),
  });
  const canceled = (Code: string) => refuse('TransactionCanceledException', { CancellationReasons: [{ Code }] });
  const isTransaction = operation === 'TransactWriteItems';
  if (kind === 'conflict')
    return isTransaction ? canceled('TransactionConflict') : refuse('TransactionConflictException');
  if (kind !== 'throttled') return undefined;
  return isTransaction ? canceled('ThrottlingError') : refuse('ProvisionedThroughputExceededException');
}

async function forward(incoming: IncomingMessage, body: string, endpoint: string, agent: Agent): Promise<Reply> {
  const headers = { ...incoming.headers, 'content-length': Buffer.byteLength(body) };
  const outgoing = request(new URL(incoming.url ?? '/', endpoint), { agent, headers, method: 'POST' });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, text: await text(response) };
}

const send = (response: ServerResponse, reply: Reply) =>
  response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.0' }).end(reply.text);

export async function awsEndpoint(databaseUrl: string): Promise<AwsEndpoint> {
  const agent = new Agent({ keepAlive: true });
  let behind: BehindEndpoint | undefined;

  async function act(incoming: IncomingMessage, body: string, operation: string): Promise<Reply> {
    const service = String(incoming.headers['x-amz-target']).split('.')[0];
    if (service === 'DynamoDB_20120810') return forward(incoming, body, databaseUrl, agent);
    const parsed = JSON.parse(body) as Record<string, string>;
    const answer = service === 'AmazonSQS' ? behind?.queue.answer(parsed) : behind?.workflow.answer(operation, parsed);
    return { status: answer?.status ?? 503, text: JSON.stringify(answer?.body ?? {}) };
  }

  async function answerAws(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await text(incoming);
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
    const answering = incoming.headers['x-amz-target'] ? answerAws(incoming, response) : receive(incoming, response);
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
