/** Tasks that end in every possible way, with secrets in all of their texts. */
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { eventually } from '../../support/eventually.ts';
import type { ScriptedJob } from '../../support/scripted-engine.ts';
import { inputCanary } from './canaries.ts';
import { callBack, type Plan } from './engine-reports.ts';
import type { RawRequest } from './raw-client.ts';
import type { World } from './world.ts';

/** A request that contains one of each kind of secret. */
export const order = ({ words, lines }: World, plan: Plan, extra: object = {}): RawRequest => ({
  headers: [['x-client-reference', words.clientReference]],
  body: {
    text: `${words.prompt} plan ${plan}`,
    voiceId: words.voiceId,
    callbackUrl: `${lines.receiver.url}/${words.callbackAddress}?secret=${words.callbackAddress}`,
    note: words.unknownMember,
    ...extra,
  },
});

export const taskIdIn = (body: string): string => (JSON.parse(body) as { data: { taskId: string } }).data.taskId;

export async function speak(world: World, token: string, plan: Plan, extra: RawRequest = {}): Promise<string> {
  const { headers = [], body } = order(world, plan);
  const question = { body, ...extra, token, headers: [...headers, ...(extra.headers ?? [])] };
  const response = await world.call('generateVoice', question);
  if (response.status !== 202) throw new Error(`a task was rejected with ${response.status}: ${response.body}`);
  return taskIdIn(response.body);
}

export const ended = (world: World, taskId: string): Promise<true> =>
  eventually(`the end of task ${taskId}`, async () =>
    (await world.context.tasks.find(taskId))?.endedAt === undefined ? undefined : true,
  );

export const untilSubmitted = (world: World, taskId: string, times: number): Promise<ScriptedJob> =>
  eventually(`the submission of task ${taskId}`, () => {
    const job = world.engine.jobs.get(taskId);
    return job && job.submissions >= times ? job : undefined;
  });

/** Sends all requests that a client can send about its task. */
async function read(world: World, token: string, taskId: string): Promise<void> {
  const query = `clientReference=${world.words.clientReference}&${world.words.unknownMember}=1`;
  await Promise.all([
    world.call('getTask', { token, id: taskId }),
    world.call('listTasks', { token, query }),
    world.call('listTasks', { token, query: `ids=${taskId}` }),
    world.call('listCreditHistory', { token }),
    world.call('getProfile', { token }),
  ]);
}

/** Resolves once the service knows the last submission: an earlier report on it would not count as that of the job. */
const untilAccepted = (world: World, taskId: string, job: ScriptedJob): Promise<true> =>
  eventually(`the reference of task ${taskId}`, async () => {
    const { reference } = await world.context.engineJobs.find({ taskId, name: mainJob });
    return reference === job.reference ? true : undefined;
  });

/** A task whose engine calls back after a given number of submissions. */
async function calledBack(world: World, token: string, plan: Plan, submissions = 1): Promise<string> {
  const taskId = await speak(world, token, plan);
  const job = await untilSubmitted(world, taskId, submissions);
  await untilAccepted(world, taskId, job);
  await callBack(world, job);
  await ended(world, taskId);
  await callBack(world, job);
  return taskId;
}

/** Invalid callbacks, each of which changes nothing. */
async function forgeries(world: World, token: string): Promise<string> {
  const { words } = world;
  const taskId = await speak(world, token, 'done');
  const job = await untilSubmitted(world, taskId, 1);
  const { callbackUrl = '' } = job;
  await callBack(world, job, { signature: '0'.repeat(64) });
  await callBack(world, job, { signature: words.engineWords });
  await callBack(world, job, { address: callbackUrl.slice(0, -1) });
  await callBack(world, job, { address: callbackUrl.replace('/offline/', `/${words.engineWords}/`) });
  await callBack(world, job, { address: callbackUrl.replace(taskId, encodeURIComponent(words.prompt)) });
  await callBack(world, job, { body: words.engineWords });
  await callBack(world, job, { body: JSON.stringify({ status: words.engineWords }) });
  await callBack(world, job, { body: JSON.stringify(world.engine.report(job, 'running', { progress: 40 })) });
  return taskId;
}

async function repeated(world: World, token: string): Promise<void> {
  const headers = [['idempotency-key', world.words.idempotencyKey] as const];
  const taskId = await speak(world, token, 'done', { headers });
  await speak(world, token, 'done', { headers });
  await speak(world, token, 'failed', { headers });
  await world.call('generateVoice', { ...order(world, 'done'), token, headers: [['x-dry-run', 'true']] });
  const { clientReference, idempotencyKey, prompt } = world.words;
  const { body } = order(world, 'done');
  const items = [body, { text: [prompt] }].map((one) => ({ operation: 'generateVoice', body: one, clientReference }));
  await world.call('generateBatch', {
    token,
    headers,
    body: { items: items.map((one) => ({ ...one, idempotencyKey })) },
  });
  await callBack(world, await untilSubmitted(world, taskId, 1));
  await ended(world, taskId);
}

async function canceled(world: World, token: string): Promise<void> {
  const taskId = await speak(world, token, 'silent');
  // A job can only be reported on after its acceptance was recorded.
  await eventually('the acceptance of the job', async () =>
    (await world.context.tasks.find(taskId))?.status === 'processing' ? true : undefined,
  );
  world.lines.engine.fail('cut', /^POST \/v1\/jobs\/[^/]+\/cancel/);
  await world.call('cancelTask', { token, id: taskId });
  world.lines.engine.mend();
  await world.call('cancelTask', { token, id: taskId });
  await world.call('deleteTask', { token, id: taskId });
  await world.call('deleteTask', { token, id: taskId });
}

/** The engine's first response is not HTTP: the error of the HTTP client may quote it. */
async function garbled(world: World, token: string): Promise<string> {
  world.lines.engine.fail('garbled', /plan garbled/);
  const taskId = await speak(world, token, 'garbled');
  await callBack(world, await untilSubmitted(world, taskId, 2));
  await ended(world, taskId);
  return taskId;
}

const endedByItself = async (world: World, token: string, plan: Plan): Promise<string> => {
  const taskId = await speak(world, token, plan);
  await ended(world, taskId);
  return taskId;
};

/** Uses the real offline engine: one task is spoken, and one fails. */
async function spokenOffline(world: World, token: string): Promise<void> {
  const { environment } = world.service;
  world.lines.engine.leadTo(environment[settingVariables.offlineEngineUrl] ?? '');
  const texts = [`${world.words.prompt}.`, `${world.words.prompt} [offline:fail]`];
  const spoken = texts.map((text) => speak(world, token, 'done', { body: order(world, 'done', { text }).body }));
  await Promise.all(spoken.map(async (taskId) => ended(world, await taskId)));
  world.lines.engine.leadTo(world.engine.url);
}

/** Images for a task that is completed, and for some that fail before an engine receives them. */
async function enhanceImages(world: World, token: string): Promise<void> {
  const { words, engine } = world;
  const enhance = async (path: string) => {
    const body = { imageUrl: `${path}?key=${words.imageAddress}`, note: words.unknownMember };
    const response = await world.call('enhanceSkin', { token, body });
    if (response.status !== 202) throw new Error(`a task was rejected with ${response.status}: ${response.body}`);
    return taskIdIn(response.body);
  };
  const closedPort = 'http://127.0.0.1:9/image.png';
  const failing = [await enhance(closedPort), await enhance(world.receiver.url)];
  const taskId = await enhance(engine.imageUrl);
  const job = await untilSubmitted(world, taskId, 1);
  world.canaries.push(inputCanary(String(job.input.imageUrl)));
  const outputs = [{ url: `${world.lines.engine.url}/v1/files/${job.reference}.png`, contentType: 'image/png' }];
  await callBack(world, job, { body: JSON.stringify(engine.report(job, 'done', { progress: 100, outputs })) });
  await Promise.all([taskId, ...failing].map((id) => ended(world, id)));
  await world.call('getTask', { token, id: taskId });
}

/** Resolves with a task whose webhook has been delivered at its second attempt, and one without a response. */
export async function runTasks(world: World, token: string): Promise<{ notified: string; open: string }> {
  await spokenOffline(world, token);
  await garbled(world, token);
  await canceled(world, token);
  await enhanceImages(world, token);
  const [notified] = await Promise.all([
    calledBack(world, token, 'done'),
    calledBack(world, token, 'failed'),
    calledBack(world, token, 'nonsense', 2),
    calledBack(world, token, 'lost', 2),
    calledBack(world, token, 'elsewhere'),
    endedByItself(world, token, 'rejected'),
    endedByItself(world, token, 'broken'),
    repeated(world, token),
  ]);
  const open = await forgeries(world, token);
  await speak(world, token, 'unasked');
  await read(world, token, notified);
  return { notified: notified, open };
}
