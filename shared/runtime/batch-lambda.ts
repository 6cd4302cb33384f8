/** Serves the operation that sends many generation requests: each is answered as if it were sent alone. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod';
import { successResponse } from '../contracts/envelope.ts';
import { generateContracts } from '../contracts/generate.ts';
import type { batchContracts, GenerationId } from '../contracts/generate-batch.ts';
import type { GenerationContract } from '../contracts/generation-contract.ts';
import { Rejection } from '../domain/rejection.ts';
import { authenticateCaller } from './authenticate-caller.ts';
import { requireScope } from './authenticate-token.ts';
import type { Context, Definition, PortFactories, PortName, With } from './context.ts';
import type { Exchange } from './exchange.ts';
import { httpLambda } from './http-lambda.ts';
import type { Answerer, Known } from './operation-lambda.ts';
import { parseSent, type SentRequest, sentIn } from './parse-request.ts';
import { logBatchItem } from './request-line.ts';
import { type Reply, respond, respondToError } from './respond.ts';
import { type Turn, turnsOf } from './turns.ts';
import { warmUpOperation, warmUpTokens } from './warm-up-operation.ts';

/** The function of a generation operation; the batch uses all of it except its route. */
interface GenerationDefinition {
  readonly answer: Answerer<PortName>;
  readonly ports?: Definition<unknown>['ports'];
}

/** The functions of all generation operations. */
export type Generations = Readonly<Record<GenerationId, GenerationDefinition>>;

type BatchContract = (typeof batchContracts)['generateBatch'];
type BatchItem = z.output<BatchContract['body']>['items'][number];

/**
 * How many requests of a batch are handled at once. Two rounds, in which reading the inputs may take ten seconds each,
 * fit into the time limit of the function.
 */
const simultaneousItems = 10;

/** What all requests of a batch have in common. */
interface Batch {
  readonly operationId: string;
  readonly exchange: Exchange;
  readonly actor: Known;
  readonly context: With<PortName>;
  readonly generations: Generations;
  readonly key: string | undefined;
  readonly dryRun: string | undefined;
}

const given = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);

/**
 * Turns an item of the batch into a request. Its idempotency key is derived from that of the batch, and stored as sent
 * to the operation of the batch, so that it differs from every key that a client can choose.
 */
function sentAs(item: BatchItem, index: number, { operationId, key, dryRun }: Batch): SentRequest {
  const headers: Readonly<Record<string, readonly string[]>> = {
    'x-client-reference': given(item.clientReference),
    'x-dry-run': given(dryRun),
  };
  const isDerived = item.idempotencyKey === undefined && key !== undefined;
  return {
    ...(isDerived ? { key: `${index}:${key}`, sentTo: operationId } : { key: item.idempotencyKey }),
    params: {},
    body: () => item.body,
    header: (name) => headers[name] ?? [],
    query: () => [],
  };
}

/** Handles one request of the batch when it is its turn, and writes its own log line. */
async function answer(item: BatchItem, index: number, { table, end }: Turn, batch: Batch) {
  const { actor, context, generations } = batch;
  const contract: GenerationContract = generateContracts[item.operation];
  const exchange: Exchange = { ...batch.exchange, name: item.operation, rules: contract, responseHeaders: {} };
  const reply = async (): Promise<APIGatewayProxyResult> => {
    if (actor.kind === 'token') requireScope(contract.scopes, actor);
    // A webhook carries the secret of the token that created its task.
    else if ('callbackUrl' in item.body) {
      throw new Rejection('invalid', { message: 'callbackUrl needs a token: tasks of the dashboard have no webhook' });
    }
    const sent = sentAs(item, index, batch);
    return respond(exchange, await generations[item.operation].answer(sent, exchange, actor, { ...context, table }));
  };
  const response = await reply().catch((error: unknown) => respondToError(exchange, context, error));
  end();
  logBatchItem(context, exchange, response, index);
  return response;
}

/** Handles all requests of the batch, a limited number of them at once. */
async function answerAll(items: readonly BatchItem[], batch: Batch): Promise<readonly APIGatewayProxyResult[]> {
  const responses: APIGatewayProxyResult[] = [];
  const turns = turnsOf(batch.context.table);
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) responses[index] = await answer(item, index, turns.next().value, batch);
  };
  await Promise.all(Array.from({ length: simultaneousItems }, worker));
  return responses;
}

/** The part of a response that the batch returns: the data or the error in its envelope. */
function shown({ statusCode, body }: APIGatewayProxyResult) {
  const { data, error } = JSON.parse(body) as { readonly data?: unknown; readonly error?: unknown };
  return { status: statusCode, ...(error === undefined ? { data } : { error }) };
}

function headersOf(responses: readonly APIGatewayProxyResult[]): NonNullable<Reply['headers']> {
  const accepted = responses.filter(({ statusCode }) => statusCode === 202).map(({ headers = {} }) => headers);
  const hints = accepted.map((headers) => Number(headers['Retry-After']));
  return {
    ...(hints.length > 0 && { 'Retry-After': String(Math.min(...hints)) }),
    ...(hints.length > 0 &&
      accepted.every((headers) => 'Idempotent-Replayed' in headers) && { 'Idempotent-Replayed': 'true' }),
    ...(accepted.some((headers) => 'Idempotent-Body-Mismatch' in headers) && { 'Idempotent-Body-Mismatch': 'true' }),
  };
}

export function batchLambda(contract: BatchContract, generations: Generations) {
  const ports: PortFactories<PortName> = Object.assign({}, ...Object.values(generations).map((one) => one.ports));
  const { operationId } = contract;
  const handle = async (exchange: Exchange, actor: Known, context: With<PortName>): Promise<Reply> => {
    const sent = sentIn(contract, exchange.event);
    const { body, headers } = parseSent(contract, sent, context.settings);
    const { 'x-dry-run': dryRun } = headers as z.output<BatchContract['headers']>;
    const { items } = body as z.output<BatchContract['body']>;
    const { key } = sent;
    // The rate limit of a session counts requests, however many generations they contain.
    if (actor.kind !== 'token' && items.length > 1) {
      throw new Rejection('invalid', { message: 'items must have exactly 1 entry if a session sends it' });
    }
    const batch = { operationId, exchange, actor, context, generations, key, dryRun };
    const responses = await answerAll(items, batch);
    return { ...successResponse(contract.success, { items: responses.map(shown) }), headers: headersOf(responses) };
  };
  const definitionWith = (own: typeof ports) =>
    httpLambda({ name: operationId, authenticate: authenticateCaller(contract), handle }, own);
  const warmUp = (context: Context) =>
    warmUpOperation(contract, definitionWith({ ...ports, tokens: warmUpTokens(contract.scopes) })(context));
  return Object.assign(definitionWith(ports), { warmUp });
}
