/** Files, products, avatars and videos of them, with secrets in all of their texts and URLs. */
import { settingVariables } from '../../../shared/platform/settings.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { fileCanary, inputCanary, uploadCanary } from './canaries.ts';
import { callBack, type Plan } from './engine-reports.ts';
import type { RawRequest, RecordedResponse } from './raw-client.ts';
import { ended, taskIdIn, untilSubmitted } from './tasks-of-every-kind.ts';
import type { World } from './world.ts';

const image = tinyPng(40, 40);

interface FileData {
  readonly fileId: string;
  readonly upload: { readonly url: string; readonly fields: Readonly<Record<string, string>> };
}

const dataOf = ({ body }: RecordedResponse): unknown => (JSON.parse(body) as { data: unknown }).data;

/** A request that the service must accept. */
async function succeeding(request: Promise<RecordedResponse>): Promise<RecordedResponse> {
  const response = await request;
  if (response.status >= 300) throw new Error(`a request was rejected with ${response.status}: ${response.body}`);
  return response;
}

async function send(world: World, { url, fields }: FileData['upload']): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(image)]), `${world.words.unknownMember}.png`);
  const { body, headers } = new Request(url, { method: 'POST', body: form });
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  const types = [['content-type', headers.get('content-type') ?? ''] as const];
  await succeeding(world.ask('POST', new URL(url).pathname, { headers: types, body: bytes }));
  // The same request with its end cut off: the error message could quote parts of it.
  await world.ask('POST', new URL(url).pathname, { headers: types, body: bytes.subarray(0, -60) });
}

async function uploadedFile(world: World, token: string): Promise<string> {
  const { idempotencyKey, unknownMember } = world.words;
  const headers = [['idempotency-key', idempotencyKey] as const];
  const body = { contentType: 'image/png', bytes: image.length, note: unknownMember };
  const announced = await succeeding(world.call('createFile', { token, body, headers }));
  await succeeding(world.call('createFile', { token, body, headers }));
  const { fileId, upload } = dataOf(announced) as FileData;
  world.canaries.push(uploadCanary(upload));
  await send(world, upload);
  return fileId;
}

interface Cast {
  readonly fileId: string;
  readonly productId: string;
  readonly avatarId: string;
}

async function createCast(world: World, token: string): Promise<Cast> {
  const { words, engine } = world;
  const fileId = await uploadedFile(world, token);
  const imageUrl = `${engine.imageUrl}?key=${words.imageAddress}`;
  const product = {
    images: [{ url: imageUrl, role: words.productText }],
    productFileIds: [fileId],
    title: words.productText,
    description: words.productText,
  };
  const avatar = {
    name: words.avatarName,
    avatarFileId: fileId,
    gender: words.avatarName,
    sourceInfluencerId: words.origin,
  };
  const created = await succeeding(world.call('createStudioProduct', { token, body: product }));
  const portrayed = await succeeding(world.call('createStudioAvatar', { token, body: avatar }));
  const listed = await succeeding(world.call('listStudioProducts', { token }));
  const { products } = dataOf(listed) as { products: { images: { url: string }[] }[] };
  const kept = products[0]?.images.find(({ url }) => url.includes(fileId));
  world.canaries.push(fileCanary(kept?.url ?? ''));
  const idOf = (response: RecordedResponse) => (dataOf(response) as { id: string }).id;
  return { fileId, productId: idOf(created), avatarId: idOf(portrayed) };
}

const video = ({ words, lines }: World, { productId, avatarId }: Cast, plan: Plan): RawRequest => ({
  headers: [['x-client-reference', words.clientReference]],
  body: {
    mode: 'unboxing',
    productId,
    avatarId,
    resolution: '480p',
    aspectRatio: '1:1',
    durationSec: 4,
    userPrompt: `${words.prompt} plan ${plan}`,
    callbackUrl: `${lines.receiver.url}/${words.callbackAddress}?secret=${words.callbackAddress}`,
    note: words.unknownMember,
  },
});

async function film(world: World, token: string, cast: Cast, plan: Plan): Promise<void> {
  const response = await succeeding(world.call('generateStudioVideo', { ...video(world, cast, plan), token }));
  const taskId = taskIdIn(response.body);
  const job = await untilSubmitted(world, taskId, 1);
  const [address] = /http[^"]+X-Amz-Signature[^"]+/.exec(JSON.stringify(job.input)) ?? [];
  if (address !== undefined) world.canaries.push(inputCanary(address));
  if (plan !== 'rejected') await callBack(world, job);
  await ended(world, taskId);
  await world.call('getTask', { token, id: taskId });
}

/** Another account requests everything, by ids that it must have learned in some way. */
async function pry(world: World, { fileId, ...cast }: Cast): Promise<void> {
  const { token } = await world.account(100, 'pro');
  const { engine, strangers, words } = world;
  const own = { title: words.strangersProduct, description: words.strangersProduct, images: [engine.imageUrl] };
  const ask = async (...call: Parameters<World['call']>) => strangers.push(await world.call(...call));
  await ask('createStudioProduct', { token, body: own });
  await ask('createStudioProduct', { token, body: { title: 'x', description: 'x', productFileIds: [fileId] } });
  await ask('createStudioAvatar', { token, body: { name: 'x', avatarFileId: fileId } });
  await ask('createStudioAvatar', { token, body: { name: 'x', imageUrl: engine.imageUrl, sourceInfluencerId: 'x' } });
  await ask('generateStudioVideo', { token, body: video(world, { fileId, ...cast }, 'done').body });
  await ask('listStudioProducts', { token });
  await ask('listTasks', { token });
}

/** A provider of videos and texts that fails; its errors quote its own messages and the customer's texts. */
async function fail(world: World, token: string): Promise<void> {
  const { words, engine } = world;
  world.goBy({ [settingVariables.engines]: 'fal', [settingVariables.falKey]: words.providerKey });
  const body = { prompt: words.prompt, durationSec: 4, resolution: '480p', aspectRatio: '1:1' };
  const created = await succeeding(world.call('generateCreativeVideo', { token, body }));
  await ended(world, taskIdIn(created.body));
  await world.call('getTask', { token, id: taskIdIn(created.body) });
  const untitled = { images: [engine.imageUrl], description: `${words.productText} plan failed` };
  await world.call('createStudioProduct', { token, body: untitled });
  world.goBy({});
}

export async function runStudio(world: World): Promise<void> {
  const { token } = await world.account(1000, 'pro');
  const cast = await createCast(world, token);
  await Promise.all([
    film(world, token, cast, 'done'),
    film(world, token, cast, 'failed'),
    film(world, token, cast, 'rejected'),
  ]);
  await pry(world, cast);
  await fail(world, token);
}
