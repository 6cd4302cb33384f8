/** Stands between the service and the four parts of AWS that it speaks to, and lets some of the calls go wrong. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AwsCall, FaultDice, FaultKind } from './fault-dice.ts';

export type AwsTargets = Readonly<Record<AwsCall['service'], string>>;

export interface FaultyAws {
  readonly url: string;
  /** What is behind it; until then nothing answers. */
  leadTo(targets: AwsTargets): void;
  /** How many objects have been put into buckets. */
  readonly objects: number;
  /** How many calls have come. */
  readonly calls: number;
  /** Calls that failed although nothing was to happen to them. */
  readonly accidents: number;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The three that are told apart by `X-Amz-Target`; what comes without one is for S3. */
const services: Readonly<Record<string, AwsCall['service']>> = {
  DynamoDB_20120810: 'DynamoDB',
  AWSStepFunctions: 'Step Functions',
  AmazonSQS: 'SQS',
};

/** Milliseconds: shorter and longer than what other calls take, shorter than anybody's patience. */
const lateMs = { from: 20, upTo: 400 };

function callOf({ headers, method = '' }: IncomingMessage): AwsCall {
  const [target = '', operation = method] = String(headers['x-amz-target'] ?? '').split('.');
  const [, attempt = '1', maxAttempts = '1'] =
    /attempt=(\d+);\s*max=(\d+)/.exec(String(headers['amz-sdk-request'] ?? '')) ?? [];
  const invocation = headers['amz-sdk-invocation-id'];
  return {
    service: services[target] ?? 'S3',
    operation,
    invocation: invocation === undefined ? undefined : String(invocation),
    attempt: Number(attempt),
    maxAttempts: Number(maxAttempts),
  };
}

const jsonRefusal = (name: string, more: object = {}): Reply => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ __type: name, message: name, ...more })),
});

/** A refusal in the words of the service that was called. */
function refusalOf(kind: FaultKind, { service, operation }: AwsCall): Reply | undefined {
  if (kind !== 'conflict' && kind !== 'throttled') return undefined;
  const dynamo = (name: string, more?: object) => jsonRefusal(`com.amazonaws.dynamodb.v20120810#${name}`, more);
  const Code = kind === 'conflict' ? 'TransactionConflict' : 'ThrottlingError';
  if (operation === 'TransactWriteItems')
    return dynamo('TransactionCanceledException', { CancellationReasons: [{ Code }] });
  if (kind === 'conflict') return dynamo('TransactionConflictException');
  if (service === 'DynamoDB') return dynamo('ProvisionedThroughputExceededException');
  if (service === 'S3') {
    const body = Buffer.from('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
    return { status: 503, headers: { 'content-type': 'application/xml' }, body };
  }
  return jsonRefusal('ThrottlingException');
}

async function forward(incoming: IncomingMessage, body: Buffer, target: string, agent: Agent): Promise<Reply> {
  const { host: _ours, ...headers } = incoming.headers;
  const outgoing = request(new URL(incoming.url ?? '/', target), {
    agent,
    method: incoming.method,
    headers: { ...headers, 'content-length': body.length },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const { connection: _hop, 'keep-alive': _hops, 'transfer-encoding': _coding, ...kept } = headers;
  response.writeHead(status, kept).end(body);
}

export async function faultyAws(dice: FaultDice, between: (from: number, to: number) => number): Promise<FaultyAws> {
  const agent = new Agent({ keepAlive: true });
  const objects = new Set<string>();
  let targets: AwsTargets | undefined;
  let [calls, accidents] = [0, 0];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const call = callOf(incoming);
    const target = targets?.[call.service];
    if (!target) throw new Error('nothing is behind the endpoint yet');
    calls += 1;
    const fault = dice.roll(call);
    response.once('close', () => {
      if (!fault && !response.writableFinished) dice.abandoned(call);
    });
    if (fault === 'late') await sleep(between(lateMs.from, lateMs.upTo));
    const refusal = fault && refusalOf(fault, call);
    if (fault === 'refused') response.destroy();
    else if (refusal) send(response, refusal);
    else {
      if (call.service === 'S3' && call.operation === 'PUT') objects.add(incoming.url ?? '');
      const reply = await forward(incoming, body, target, agent);
      if (fault === 'lost') response.destroy();
      // Left open without a word: the caller gives up.
      else if (fault !== 'silent') send(response, reply);
    }
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => {
      // A caller that has gone away is no accident.
      if (!incoming.destroyed || incoming.complete) accidents += 1;
      response.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(next) {
      targets = next;
    },
    get objects() {
      return objects.size;
    },
    get calls() {
      return calls;
    },
    get accidents() {
      return accidents;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      agent.destroy();
    },
  };
}
