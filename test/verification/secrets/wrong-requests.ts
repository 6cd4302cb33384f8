/** Requests that are rejected, each with a secret in the wrong place. */

import { scopes } from '../../../shared/contracts/scopes.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import type { RawRequest } from './raw-client.ts';
import { order } from './tasks-of-every-kind.ts';
import type { World } from './world.ts';

/** Bodies, headers and queries of generateVoice and listTasks with the prompt in the wrong place. */
function misplaced(world: World): RawRequest[] {
  const { prompt, unknownMember } = world.words;
  const latin = prompt.replaceAll('\n', ' ');
  const right = { text: 'Olá.', voice: 'sarah' };
  const bodies = [
    { text: prompt.repeat(50), voice: 'sarah' },
    { text: [prompt], voice: 'sarah' },
    { text: { [prompt]: prompt }, voice: 'sarah' },
    { text: prompt },
    { text: prompt, voice: prompt },
    { ...right, voiceId: { prompt } },
    { ...right, stability: prompt, similarityBoost: prompt },
    { ...right, callbackUrl: prompt },
    { ...right, callbackUrl: `https://10.0.0.1/${encodeURIComponent(prompt)}` },
    { ...right, callbackUrl: `https://user:${unknownMember}@example.com/` },
    [prompt],
    JSON.stringify(prompt),
    `{"text": ${prompt}}`,
    `{"text": "${prompt}`,
    prompt,
    Buffer.concat([Buffer.from(`{"text":"${prompt}`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    prompt.repeat(6000),
  ];
  const headers: RawRequest['headers'][] = [
    [['idempotency-key', latin.repeat(3)]],
    [['idempotency-key', '']],
    [1, 2].map(() => ['idempotency-key', latin] as const),
    [['x-client-reference', latin.repeat(3)]],
    [['x-dry-run', latin]],
    [1, 2].map(() => ['x-dry-run', latin] as const),
    [['content-type', `text/${latin}`]],
    [['content-type', latin]],
  ];
  return [...bodies.map((body) => ({ body })), ...headers.map((some) => ({ body: right, headers: some ?? [] }))];
}

const misplacedQueries = (text: string): string[] =>
  ['limit=', 'offset=', 'status=', 'taskType=', 'ids=', 'clientReference=a&clientReference=', 'clientReference=%'].map(
    (query) => query + encodeURIComponent(text.repeat(3)),
  );

async function wrongTokens(world: World, accountId: string): Promise<void> {
  const { context, words } = world;
  const [good, revoked, expired, limitedScopes, busy] = [
    await world.token(accountId),
    await world.token(accountId),
    await world.token(accountId, scopes, context.clock.now() + 1),
    await world.token(accountId, ['read:orders']),
    await world.token(accountId),
  ];
  await tokenStore(context.table).revoke(accountId, revoked.tokenId, context.clock.now());
  const { token } = good;
  const authorizations = [
    `Basic ${token}`,
    token,
    `Bearer  ${token}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}0`,
    `Bearer ${words.prompt.replaceAll('\n', ' ')}`,
    `Bearer ${revoked.token}`,
    `Bearer ${expired.token}`,
  ];
  for (const authorization of authorizations) {
    await world.call('generateVoice', { ...order(world, 'done'), headers: [['authorization', authorization]] });
  }
  const twice = [1, 2].map(() => ['authorization', `Bearer ${token}`] as const);
  await world.call('getProfile', { headers: twice });
  await world.call('getProfile', { query: `access_token=${token}` });
  await world.call('generateVoice', { ...order(world, 'done'), token: limitedScopes.token });
  await Promise.all(Array.from({ length: 61 }, () => world.call('getProfile', { token: busy.token })));
}

async function unknownAddresses(world: World, token: string): Promise<void> {
  const name = encodeURIComponent(world.words.prompt);
  const body = order(world, 'done').body;
  await world.call('getTask', { token, id: world.words.prompt });
  await world.call('cancelTask', { token, id: world.words.prompt });
  for (const path of [`/${name}`, `/api/v1/${name}`, `/inbound/engines/${name}/${name}`, '/api/v1/generate/voice']) {
    await world.ask('PUT', path, { token, body, query: name });
  }
  await world.ask('POST', `/inbound/engines/offline/${name}`, { body });
  await world.ask('GET', `/results/${name}/1.mp3`, { token });
  await world.say(`GET /${token} HTTP/1.1\r\nHost: x\r\nno header ${token}\r\n\r\n`);
  await world.say(`POST /api/v1/generate/voice HTTP/1.1\r\nHost: x\r\nContent-Length: ${token}\r\n\r\n`);
  await world.say(`${token} / HTTP/9\r\n\r\n`);
}

export async function runWrongRequests(world: World, accountId: string): Promise<void> {
  const { token } = await world.token(accountId);
  for (const question of misplaced(world)) await world.call('generateVoice', { token, ...question });
  for (const query of misplacedQueries(world.words.prompt)) await world.call('listTasks', { token, query });
  await wrongTokens(world, accountId);
  await unknownAddresses(world, token);
  const withoutStudio = await world.account(0);
  await world.call('generateVoice', { ...order(world, 'done'), token: withoutStudio.token });
}
