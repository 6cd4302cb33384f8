/** Serves an operation of the API: authenticates, parses by the contract, and replays stored responses. */
import { successResponse } from '../contracts/envelope.ts';
import { pollingSeconds } from '../contracts/limits.ts';
import type { OperationContract, RequestContract } from '../contracts/operation.ts';
import { Replay, type StoredResponse } from '../domain/idempotency/idempotency.ts';
import { scopeOf } from '../domain/idempotency/idempotency-store.ts';
import { idempotency, tokens } from '../domain/store-ports.ts';
import type { Actor } from './actor.ts';
import { ApiError, type ApiErrorDetails } from './api-error.ts';
import { authenticateToken } from './authenticate-token.ts';
import type { Context, PortFactories, PortName, With } from './context.ts';
import { inAcceptedForm } from './csv-reply.ts';
import type { Exchange } from './exchange.ts';
import { type Authenticator, anonymous, type Endpoint, httpLambda } from './http-lambda.ts';
import type { OperationOf, RequestOf } from './operation-types.ts';
import { type FindAddressProblems, type ParsedRequest, parseSent, type SentRequest, sentIn } from './parse-request.ts';
import type { Reply } from './respond.ts';
import { shownPage } from './shown-page.ts';
import { warmUpOperation, warmUpTokens } from './warm-up-operation.ts';
import { withoutBadRows } from './without-bad-rows.ts';

/** The ports that every operation uses: to check tokens, and to store responses for idempotency keys. */
export type EdgePort = 'idempotency' | 'tokens';

/** A caller that is authenticated, or known to need no authentication. */
export type Known = Extract<Actor, { kind: 'token' | 'session' | 'operator' | 'anonymous' }>;

/** Answers a request of an authenticated caller. @throws {Rejection | ApiError} */
export type Answerer<Names extends PortName> = (
  sent: SentRequest,
  exchange: Exchange,
  actor: Known,
  context: With<Names | EdgePort>,
) => Promise<Reply>;

interface RequestHooks<Names extends PortName> {
  /** Called before a stored response is replayed. */
  readonly onReplay?: (response: StoredResponse, context: With<Names>) => Promise<unknown>;
  /** Starts loading what the operation will need while the token is being checked. */
  readonly prefetch?: (context: With<Names>) => Promise<unknown>;
  /** Checks URLs in the body; needed only if the body contains URLs. */
  readonly findAddressProblems?: FindAddressProblems;
}

export interface Hooks<Contract extends RequestContract, Names extends PortName> extends RequestHooks<Names> {
  /** Authenticates the caller; by default, by token, or as anonymous if the operation needs no scope. */
  readonly authenticate?: Authenticator<Names | EdgePort, Known>;
  /** Replaces the operation in a warm-up: does as much of it as possible without a network. */
  readonly warmUpWith?: OperationOf<Contract, Names>;
}

const fail = (code: ConstructorParameters<typeof ApiError>[0], details?: ApiErrorDetails): never => {
  throw new ApiError(code, details);
};

/** Finds the stored response for the request's idempotency key. */
async function findReplay(
  { operationId }: RequestContract,
  { idempotency }: ParsedRequest,
  actor: Known,
  { clock, idempotency: responses }: With<EdgePort>,
): Promise<Replay | undefined> {
  if (!idempotency || !('accountId' in actor)) return undefined;
  const stored = await responses.find(scopeOf(actor.accountId, operationId, idempotency), clock.now());
  return stored && new Replay(stored);
}

/** The task id in a response or in path parameters. */
const taskIdIn = (value: unknown): string | undefined => (value as { taskId?: string } | undefined)?.taskId;

/** The `Location` header of a response that announces a new task. */
const location = (status: number, taskId: string | undefined) =>
  status === 202 && taskId !== undefined ? { Location: `/api/v1/tasks/${taskId}` } : {};

/** The `Retry-After` header, which says when to poll a task. */
const pollHint = (seconds: number | undefined) => (seconds === undefined ? {} : { 'Retry-After': String(seconds) });

/**
 * The response of a repeated request is returned without reading its task, which may have ended long ago: so the client
 * is told to poll soon, and that response says more.
 */
const replayedHint = ({ success }: RequestContract) => pollHint(success.retryAfter && pollingSeconds.least);

const replayReply = (
  contract: RequestContract,
  { status, body, fingerprint, taskId }: StoredResponse,
  request: ParsedRequest,
): Reply => ({
  status,
  body,
  headers: {
    ...location(status, taskId),
    ...replayedHint(contract),
    'Idempotent-Replayed': 'true',
    ...(fingerprint !== request.idempotency?.fingerprint && { 'Idempotent-Body-Mismatch': 'true' }),
  },
});

/** A reply, and the data that it shows. */
type Shown = Reply & { readonly data: unknown };

async function replayed(
  contract: RequestContract,
  { response }: Replay,
  request: ParsedRequest,
  exchange: Exchange,
  onReplay: (response: StoredResponse) => Promise<unknown> | undefined,
): Promise<Shown> {
  exchange.taskId = response.taskId;
  await onReplay(response);
  return { ...replayReply(contract, response, request), data: undefined };
}

/** The result of an operation, and when it asked the client to poll. */
interface Result {
  readonly data: unknown;
  readonly retryAfterSeconds: number | undefined;
}

/** Runs an operation, and notes when it asks the client to poll. */
async function notingHint(run: (retryAfter: (seconds: number) => void) => Promise<unknown>): Promise<Result | Replay> {
  let retryAfterSeconds: number | undefined;
  const data = await run((seconds) => {
    retryAfterSeconds = seconds;
  });
  return data instanceof Replay ? data : { data, retryAfterSeconds };
}

/** Parses an operation's result with its schema, so that undeclared fields cannot leak. */
function successReply(
  contract: RequestContract,
  { isDryRun }: ParsedRequest,
  { kind }: Known,
  { data, retryAfterSeconds }: Result,
  table: Context['table'],
): Shown {
  const { dryRun, success } = contract;
  if (dryRun && isDryRun) return { ...successResponse({ status: 200, data: dryRun }, data), data };
  const isCacheable = success.cacheControl !== undefined && (kind === 'token' || kind === 'anonymous');
  const headers = {
    ...(isCacheable && { 'Cache-Control': success.cacheControl }),
    ...location(success.status, taskIdIn(data)),
    ...pollHint(retryAfterSeconds),
  };
  try {
    return { ...successResponse(success, data), headers, data };
  } catch (error) {
    const listed = withoutBadRows(contract, data, error, table);
    if (!listed) throw error;
    return { ...successResponse(success, listed), headers, data: listed };
  }
}

/** Authenticates the caller of an operation of the API. @throws {Rejection} */
export const authenticateByToken =
  ({ scopes }: OperationContract) =>
  (exchange: Exchange, context: With<EdgePort>): Promise<Known> =>
    scopes.length > 0 ? authenticateToken(exchange, context, scopes) : anonymous();

/** Builds an operation's function, whatever kind of caller it authenticates. */
export function requestLambda<Contract extends RequestContract, Names extends PortName = never>(
  contract: Contract,
  authenticate: Authenticator<Names | EdgePort, Known>,
  ports: PortFactories<Names> & Partial<PortFactories<EdgePort>>,
  { findAddressProblems, onReplay, prefetch }: RequestHooks<Names> = {},
) {
  type Run = OperationOf<Contract, Names>;

  /**
   * Runs the operation, whose own commit detects a repeated request. If it fails before the commit, the idempotency key
   * is looked up: a repeated request gets the first response even if the operation would by now reject it.
   */
  const resultOf = async (
    run: Run,
    exchange: Exchange,
    request: ParsedRequest,
    actor: Known,
    context: With<Names | EdgePort>,
  ): Promise<Result | Replay> => {
    const { isDryRun: _read, ...parts } = request;
    try {
      const given = { ...parts, cookies: exchange.cookies, requestId: exchange.requestId, actor, fail };
      return await notingHint((retryAfter) => run({ ...given, retryAfter } as RequestOf<Contract>, context));
    } catch (error) {
      const replay = await findReplay(contract, request, actor, context);
      if (replay) return replay;
      throw error;
    }
  };

  const answererOf =
    (run: Run): Answerer<Names> =>
    async (sent, exchange, actor, context) => {
      const request = parseSent(contract, sent, context.settings, findAddressProblems);
      const replyTo = async (query: ParsedRequest['query']): Promise<Shown> => {
        const result = await resultOf(run, exchange, { ...request, query }, actor, context);
        const repeat = (stored: StoredResponse) => onReplay?.(stored, context);
        if (result instanceof Replay) return replayed(contract, result, request, exchange, repeat);
        exchange.taskId = taskIdIn(result.data) ?? taskIdIn(request.params);
        return successReply(contract, request, actor, result, context.table);
      };
      return inAcceptedForm(contract, request.query, exchange.event, await shownPage(contract, request.query, replyTo));
    };

  const all = { idempotency, tokens, ...ports } as PortFactories<Names | EdgePort>;

  return (run: Run) => {
    const answer = answererOf(run);
    const endpoint: Endpoint<Names | EdgePort, Known> = {
      name: contract.operationId,
      rules: contract,
      authenticate,
      handle: (exchange, actor, context) => answer(sentIn(contract, exchange.event), exchange, actor, context),
      ...(prefetch && { prefetch }),
    };
    return Object.assign(httpLambda(endpoint, all), { answer });
  };
}

/** Defines the function of an API operation. `ports` are the stores and other ports that it uses. */
export function operationLambda<Contract extends OperationContract, Names extends PortName = never>(
  contract: Contract,
  operation: OperationOf<Contract, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
  { warmUpWith = async () => contract.example.data as never, ...hooks }: Hooks<Contract, Names> = {},
) {
  const { authenticate = authenticateByToken(contract) } = hooks;
  const definitionOf = requestLambda(contract, authenticate, ports, hooks);
  const warmUp = (context: Context) => {
    const warmUpPorts = { ...ports, tokens: warmUpTokens(contract.scopes) };
    return warmUpOperation(contract, requestLambda(contract, authenticate, warmUpPorts, hooks)(warmUpWith)(context));
  };
  return Object.assign(definitionOf(operation), { warmUp });
}
