/** A service that breaks its contract in one way an operation, and its books besides: each of it must be found. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type LocalFunctions, localFunctions } from '../../../infra/local/functions.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import type { Context, Definition } from '../../../shared/runtime/context.ts';

type Event = APIGatewayProxyEvent;
type Answer = APIGatewayProxyResult;

/** A response that replaces an operation's own. */
type Breach = (event: Event, answer: Answer, context: Context) => Answer | Promise<Answer>;

interface Body {
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

const bodyOf = ({ body }: Answer): Body => JSON.parse(body) as Body;

const rejection = (answer: Answer, statusCode: number): Answer => ({
  ...answer,
  statusCode,
  body: JSON.stringify({ success: false, error: { code: 'VALIDATION_ERROR', message: 'planted' } }),
});

/** Shows everybody what anybody was shown of the same name. */
function showingEverybody(nameOf: (event: Event) => string, rejected: number) {
  const shown = new Map<string, Answer>();
  return (event: Event, answer: Answer): Answer => {
    const name = nameOf(event);
    if (answer.statusCode === 200) shown.set(name, answer);
    return answer.statusCode === rejected ? (shown.get(name) ?? answer) : answer;
  };
}

const undeclaredField = (_event: Event, answer: Answer): Answer => {
  const { data, ...body } = bodyOf(answer);
  return data ? { ...answer, body: JSON.stringify({ ...body, data: { ...data, passwordHash: 'planted' } }) } : answer;
};

const missingHeader: Breach = (_event, answer) => {
  const { 'X-Request-Id': _missing, ...headers } = answer.headers ?? {};
  return { ...answer, headers };
};

const corsHeader: Breach = (_event, answer) => ({
  ...answer,
  headers: { ...answer.headers, 'Access-Control-Allow-Origin': '*' },
});

const undeclaredStatus: Breach = (_event, answer) => (answer.statusCode === 404 ? rejection(answer, 410) : answer);

const otherSuccess: Breach = (_event, answer) => (answer.statusCode === 202 ? { ...answer, statusCode: 201 } : answer);

const createdAsFound: Breach = (_event, answer) =>
  answer.statusCode === 201 ? { ...answer, statusCode: 200 } : answer;

const rejectedFilter: Breach = ({ queryStringParameters: query }, answer) =>
  answer.statusCode === 200 && query?.status === 'failed' ? rejection(answer, 400) : answer;

/** Takes a limit that is out of range for the default. */
const acceptedLimit: Breach = (_event, answer) =>
  answer.statusCode === 400 ? { ...answer, statusCode: 200, body: emptyHistory } : answer;

const emptyHistory = JSON.stringify({ success: true, data: { balance: 0, history: [], limit: 20, offset: 0 } });

const sentBody = ({ body }: Event): string => body ?? '';

/** A credit and a slot that nothing explains, with each task of one sentence; and a fault at one number. */
const driftAndFault: Breach = async (event, answer, { table, tasks }) => {
  if (answer.statusCode === 202 && sentBody(event).includes('"Bom dia. [offline:none]"')) {
    const task = await tasks.find(String(bodyOf(answer).data?.taskId));
    await table.update({
      Key: accountKey(task?.accountId ?? ''),
      UpdateExpression: 'ADD balance :credit, openTasks :task',
      ExpressionAttributeValues: { ':credit': 1, ':task': new Set(['planted']) },
    });
  }
  return /"stability": ?1\b/.test(sentBody(event)) ? rejection(answer, 500) : answer;
};

interface Planted {
  readonly breach: Breach;
  /** What is said of it, one of the problems each. */
  readonly found: readonly RegExp[];
}

/** Whoever comes without a token is shown what the last one with a token was. */
const unasked = showingEverybody(() => 'anybody', 401);

const taskIdOf = ({ pathParameters }: Event): string => pathParameters?.taskId ?? '';

export const plantedBreaches: Readonly<Record<OperationId, Planted>> = {
  listPlans: { breach: missingHeader, found: [/^Missing required response headers .*\/plans/] },
  getHealth: { breach: corsHeader, found: [/^Custom check failed: `form_of_every_answer` .*\/health/] },
  getProfile: {
    breach: (event, answer) => unasked(event, undeclaredField(event, answer)),
    found: [/^Response violates schema .*\/profile/, /^API accepts requests without authentication .*\/profile/],
  },
  listCreditHistory: { breach: acceptedLimit, found: [/^Schema-violating request accepted .*\/credits/] },
  listTasks: { breach: rejectedFilter, found: [/^Schema-valid request rejected .*\/tasks/] },
  getTask: {
    breach: showingEverybody(taskIdOf, 404),
    found: [/^Object-level authorization bypass .*(\{taskId\}|Stateful tests)/],
  },
  cancelTask: { breach: undeclaredStatus, found: [/^Undocumented status code .*\/cancel/] },
  getStudioCatalog: {
    breach: undeclaredField,
    found: [/^Response violates schema .*\/studio\/catalog/],
  },
  generateImage: { breach: otherSuccess, found: [/^Undocumented status code .*\/image\b/] },
  editImage: { breach: corsHeader, found: [/^Custom check failed: `form_of_every_answer` .*\/image-edit/] },
  replaceCharacter: { breach: missingHeader, found: [/^Missing required response headers .*\/character-replace/] },
  removeBackground: { breach: undeclaredField, found: [/^Response violates schema .*\/background-remove/] },
  upscaleImage: { breach: otherSuccess, found: [/^Undocumented status code .*\/image-upscale/] },
  generateInfluencer: { breach: corsHeader, found: [/^Custom check failed: `form_of_every_answer` .*\/influencer/] },
  enhanceSkin: { breach: missingHeader, found: [/^Missing required response headers .*\/skin-enhance/] },
  createStudioProduct: {
    breach: undeclaredField,
    found: [/^Response violates schema .*POST \S*\/studio\/products/],
  },
  listStudioProducts: {
    breach: corsHeader,
    found: [/^Custom check failed: `form_of_every_answer` .*GET \S*\/studio\/products/],
  },
  createStudioAvatar: { breach: missingHeader, found: [/^Missing required response headers .*\/studio\/avatars/] },
  createFile: { breach: createdAsFound, found: [/^Undocumented status code .*\/files/] },
  generateVoice: {
    breach: driftAndFault,
    found: [
      /^Server error .*\/voice/,
      /^The server answered POST \/api\/v1\/generate\/voice with 500\.$/,
      /drifts from its ledger.*"credits":1,"slots":\["planted"\]/,
      /^The task planted ended and holds its slot\.$/,
    ],
  },
  generateCreativeVideo: { breach: undeclaredField, found: [/^Response violates schema .*\/video-creative/] },
  generateUgcVideo: { breach: otherSuccess, found: [/^Undocumented status code .*\/video-ugc/] },
  // Its files are fetched before anything succeeds, so no response tells more.
  imitateVideo: { breach: missingHeader, found: [/^Missing required response headers .*\/video-imitate/] },
  generateStudioVideo: { breach: corsHeader, found: [/^Custom check failed: `form_of_every_answer` .*\/video-studio/] },
  generateCortes: { breach: otherSuccess, found: [/^Undocumented status code .*\/cortes/] },
  // Its file is fetched before anything succeeds.
  changeVoice: { breach: missingHeader, found: [/^Missing required response headers .*\/voice-change/] },
};

const breaking = (definition: Definition<unknown>, breach: Breach): Definition<LambdaHandler> => {
  return (context) => {
    const handler = definition(context) as LambdaHandler;
    return async (event, lambda) => breach(event, (await handler(event, lambda)) as Answer, context);
  };
};

/** The service's functions with every breach planted. */
export const brokenFunctions: LocalFunctions = Object.fromEntries(
  Object.entries(localFunctions).map(([name, found]) => {
    const planted = Object.entries(plantedBreaches).find(([operation]) => operation === name)?.[1];
    return [name, planted ? { ...found, definition: breaking(found.definition, planted.breach) } : found];
  }),
);
