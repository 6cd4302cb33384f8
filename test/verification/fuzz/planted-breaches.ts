/** A service that breaks its contract in one way per operation, and its ledger: each breach must be found. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type LocalFunctions, localFunctions } from '../../../infra/local/functions.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import { type OperationId, registry } from '../../../shared/contracts/registry.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import type { Definition } from '../../../shared/runtime/context.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';

type Event = APIGatewayProxyEvent;
type Response = APIGatewayProxyResult;

/** A response that replaces an operation's own. */
type Breach = (event: Event, response: Response, context: FullContext) => Response | Promise<Response>;

interface Body {
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

const bodyOf = ({ body }: Response): Body => JSON.parse(body) as Body;

const rejection = (response: Response, statusCode: number): Response => ({
  ...response,
  statusCode,
  body: JSON.stringify({ success: false, error: { code: 'VALIDATION_ERROR', message: 'planted' } }),
});

/** Returns the last successful response for the same name to every caller. */
function sharedByAll(nameOf: (event: Event) => string, rejected: number) {
  const shown = new Map<string, Response>();
  return (event: Event, response: Response): Response => {
    const name = nameOf(event);
    if (response.statusCode === 200) shown.set(name, response);
    return response.statusCode === rejected ? (shown.get(name) ?? response) : response;
  };
}

const undeclaredField = (_event: Event, response: Response): Response => {
  const { data, ...body } = bodyOf(response);
  return data
    ? { ...response, body: JSON.stringify({ ...body, data: { ...data, passwordHash: 'planted' } }) }
    : response;
};

const missingHeader: Breach = (_event, response) => {
  const { 'X-Request-Id': _missing, ...headers } = response.headers ?? {};
  return { ...response, headers };
};

const corsHeader: Breach = (_event, response) => ({
  ...response,
  headers: { ...response.headers, 'Access-Control-Allow-Origin': '*' },
});

const undeclaredStatus: Breach = (_event, response) =>
  response.statusCode === 404 ? rejection(response, 410) : response;

const otherSuccess: Breach = (_event, response) =>
  response.statusCode === 202 ? { ...response, statusCode: 201 } : response;

const createdAsFound: Breach = (_event, response) =>
  response.statusCode === 201 ? { ...response, statusCode: 200 } : response;

const rejectedFilter: Breach = ({ queryStringParameters: query }, response) =>
  response.statusCode === 200 && query?.status === 'failed' ? rejection(response, 400) : response;

/** Takes a limit that is out of range for the default. */
const acceptedLimit: Breach = (_event, response) =>
  response.statusCode === 400 ? { ...response, statusCode: 200, body: emptyHistory } : response;

const emptyHistory = JSON.stringify({ success: true, data: { balance: 0, history: [], limit: 20, offset: 0 } });

const sentBody = ({ body }: Event): string => body ?? '';

/** A credit and a slot that nothing explains, with each task of one sentence; and a fault at one number. */
const driftAndFault: Breach = async (event, response, { table, tasks }) => {
  if (response.statusCode === 202 && sentBody(event).includes('"Bom dia. [offline:none]"')) {
    const task = await tasks.find(String(bodyOf(response).data?.taskId));
    await table.update({
      Key: accountKey(task?.accountId ?? ''),
      UpdateExpression: 'ADD balance :credit, openTasks :task',
      ExpressionAttributeValues: { ':credit': 1, ':task': new Set(['planted']) },
    });
  }
  return /"stability": ?1\b/.test(sentBody(event)) ? rejection(response, 500) : response;
};

interface Planted {
  readonly breach: Breach;
  /** Each matches one of the reported problems. */
  readonly found: readonly RegExp[];
}

/** A request without a token gets the last response to one with a token. */
const withoutToken = sharedByAll(() => 'any caller', 401);

const taskIdOf = ({ pathParameters }: Event): string => pathParameters?.taskId ?? '';

/** Each kind of breach, in the operation that shows it best. */
const chosenBreaches: Partial<Readonly<Record<OperationId, Planted>>> = {
  getHealth: { breach: corsHeader, found: [/^Custom check failed: `form_of_every_response` .*\/health/] },
  getProfile: {
    breach: (event, response) => withoutToken(event, undeclaredField(event, response)),
    found: [/^Response violates schema .*\/profile/, /^API accepts requests without authentication .*\/profile/],
  },
  listCreditHistory: { breach: acceptedLimit, found: [/^Schema-violating request accepted .*\/credits/] },
  createCreditOrder: { breach: createdAsFound, found: [/^Undocumented status code .*POST \S*\/credits/] },
  listTasks: { breach: rejectedFilter, found: [/^Schema-valid request rejected .*\/tasks/] },
  getTask: {
    breach: sharedByAll(taskIdOf, 404),
    found: [/^Object-level authorization bypass .*(\{taskId\}|Stateful tests)/],
  },
  cancelTask: { breach: undeclaredStatus, found: [/^Undocumented status code .*\/cancel/] },
  completeFile: { breach: undeclaredStatus, found: [/^Undocumented status code .*\/complete/] },
  generateImage: { breach: otherSuccess, found: [/^Undocumented status code .*\/image\b/] },
  generateVoice: {
    breach: driftAndFault,
    found: [
      /^Server error .*\/voice/,
      /^The server responded to POST \/api\/v1\/generate\/voice with 500\.$/,
      /drifts from its ledger.*"credits":1,"slots":\["planted"\]/,
      /^The task planted ended and holds its slot\.$/,
    ],
  },
};

/** Every response shows it, even where no generated request succeeds. */
const lackingHeader = ({ method, path }: { readonly method: string; readonly path: string }): Planted => ({
  breach: missingHeader,
  found: [new RegExp(`^Missing required response headers .*${method} \\S*${RegExp.escape(path)}`)],
});

/** A breach in every operation. */
export const plantedBreaches: ReadonlyMap<string, Planted> = new Map(
  Object.values(registry).map((contract) => [
    contract.operationId,
    chosenBreaches[contract.operationId] ?? lackingHeader(contract),
  ]),
);

const breaking = (definition: Definition<unknown>, breach: Breach): Definition<LambdaHandler> => {
  return (context) => {
    const handler = definition(context) as LambdaHandler;
    return async (event, lambda) => breach(event, (await handler(event, lambda)) as Response, context as FullContext);
  };
};

/** The service's functions with every breach planted. */
export const brokenFunctions: LocalFunctions = Object.fromEntries(
  Object.entries(localFunctions).map(([name, found]) => {
    const planted = plantedBreaches.get(name);
    return [name, planted ? { ...found, definition: breaking(found.definition, planted.breach) } : found];
  }),
);
