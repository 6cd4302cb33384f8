/** Serves an operation of the API: authenticates and parses by its contract, and replays responses by their key. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { successResponse } from '../contracts/envelope.ts';
import type { OperationContract } from '../contracts/operation.ts';
import { Replay, type StoredResponse } from '../domain/idempotency/idempotency.ts';
import { InvalidRow } from '../domain/stored-row.ts';
import type { Actor } from './actor.ts';
import { ApiError, type ApiErrorDetails } from './api-error.ts';
import { authenticateToken } from './authenticate-token.ts';
import { bindPorts, type Context, type PortFactories, type PortName, type With } from './context.ts';
import type { Exchange } from './exchange.ts';
import { anonymous, httpLambda } from './http-lambda.ts';
import type { OperationOf, RequestOf } from './operation-types.ts';
import { type ParsedRequest, parseRequest } from './parse-request.ts';
import type { Reply } from './respond.ts';

interface Hooks<Names extends PortName> {
  /** Called before the stored response of a request's key is replayed. */
  readonly onReplay?: (response: StoredResponse, context: With<Names>) => Promise<unknown>;
  /** Starts loading what the operation will need while the token is being checked. */
  readonly prefetch?: (context: Context) => Promise<unknown>;
  /** Uses the ports like the first call, but without a network. */
  readonly rehearsePorts?: (context: With<Names>) => Promise<unknown>;
}

type Known = Extract<Actor, { kind: 'token' | 'anonymous' }>;

const fail = (code: ConstructorParameters<typeof ApiError>[0], details?: ApiErrorDetails): never => {
  throw new ApiError(code, details);
};

/** The stored response of the request's key. */
async function findReplay(
  { operationId }: OperationContract,
  { idempotency }: ParsedRequest,
  actor: Known,
  { clock, idempotency: responses }: Context,
): Promise<Replay | undefined> {
  if (!idempotency || actor.kind !== 'token') return undefined;
  const scope = { accountId: actor.accountId, operationId, key: idempotency.key };
  const stored = await responses.find(scope, clock.now());
  return stored && new Replay(stored);
}

const replayReply = ({ status, body, fingerprint }: StoredResponse, request: ParsedRequest): Reply => ({
  status,
  body,
  headers: {
    'Idempotent-Replayed': 'true',
    ...(fingerprint !== request.idempotency?.fingerprint && { 'Idempotent-Body-Mismatch': 'true' }),
  },
});

/** Parses an operation's result with its schema, so that undeclared fields cannot leak. */
function successReply({ dryRun, success }: OperationContract, { isDryRun }: ParsedRequest, data: unknown): Reply {
  if (dryRun && isDryRun) return successResponse({ status: 200, data: dryRun }, data);
  const headers = success.cacheControl ? { headers: { 'Cache-Control': success.cacheControl } } : {};
  return { ...successResponse(success, data), ...headers };
}

/** A request built from the contract's example. */
function exampleEvent({ example: { params = {}, body }, idempotent }: OperationContract): APIGatewayProxyEvent {
  const event: Partial<APIGatewayProxyEvent> = {
    pathParameters: { ...params },
    multiValueQueryStringParameters: {},
    multiValueHeaders: {
      authorization: ['Bearer example'],
      'content-type': ['application/json'],
      ...(idempotent && { 'idempotency-key': ['example'] }),
    },
    body: body ? JSON.stringify(body) : null,
    isBase64Encoded: false,
  };
  return event as APIGatewayProxyEvent;
}

/** What a rehearsed table returns is no token, which is found out when its row is read. */
const rehearseAdmission = ({ clock, tokens }: Context) =>
  tokens.admit('rehearsal', clock.now()).catch((error: unknown) => {
    if (!(error instanceof InvalidRow)) throw error;
  });

/** The task named in a response or in path parameters. */
const taskIdIn = (value: unknown): string | undefined => (value as { taskId?: string } | undefined)?.taskId;

/** The definition of an operation's function. `ports` are those that it uses besides the stores. */
export function operationLambda<Contract extends OperationContract, Names extends PortName = never>(
  contract: Contract,
  operation: OperationOf<Contract, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
  { onReplay, prefetch, rehearsePorts }: Hooks<Names> = {},
) {
  const authenticate = (exchange: Exchange, context: Context): Promise<Known> =>
    contract.scopes.length > 0 ? authenticateToken(exchange, context, contract.scopes) : anonymous();

  /**
   * The operation's own commit recognizes a repeat. Where it came to no commit, the key is looked up: a repeat gets the
   * response of its first request even if the operation would reject it by now.
   */
  const resultOf = async (request: ParsedRequest, actor: Known, context: With<Names>) => {
    const { isDryRun: _read, ...parts } = request;
    try {
      return await operation({ ...parts, actor, fail } as RequestOf<Contract>, context);
    } catch (error) {
      const replay = await findReplay(contract, request, actor, context);
      if (replay) return replay;
      throw error;
    }
  };

  const handle = async (exchange: Exchange, actor: Known, context: With<Names>): Promise<Reply> => {
    const request = parseRequest(contract, exchange.event, context.settings);
    const result = await resultOf(request, actor, context);
    if (result instanceof Replay) {
      exchange.taskId = result.response.taskId;
      await onReplay?.(result.response, context);
      return replayReply(result.response, request);
    }
    exchange.taskId = taskIdIn(result) ?? taskIdIn(request.params);
    return successReply(contract, request, result);
  };

  const endpoint = {
    name: contract.operationId,
    rules: contract as Exchange['rules'],
    authenticate,
    handle,
    ...(prefetch && { prefetch }),
  };
  const rehearse = async (context: Context): Promise<void> => {
    const request = parseRequest(contract, exampleEvent(contract), context.settings);
    successReply(contract, request, contract.example.data);
    await Promise.all([
      contract.scopes.length > 0 && rehearseAdmission(context),
      prefetch?.(context),
      rehearsePorts?.(bindPorts(context, ports)()),
    ]);
  };
  return Object.assign(httpLambda<Known, Names>(endpoint, ports), { rehearse });
}
