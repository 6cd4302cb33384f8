/** How long lists in responses of Meta may be. */
import { afterAll, describe, expect, test } from 'vitest';
import type { PageAccess } from '../../../shared/gateways/social-network.ts';
import { localServer } from '../../support/local-server.ts';
import { faultIn, networkOn } from './meta-scene.ts';

let body: unknown;
const server = await localServer((_request, response) => void response.end(JSON.stringify(body)));
afterAll(() => server.close());

const network = networkOn(server.url);
const access: PageAccess = { channel: 'facebook', network: 'sandbox', pageId: '17', accessToken: 'token' };

const repeated = <One>(count: number, one: One): One[] => Array.from({ length: count }, () => one);

describe('a response of Meta', () => {
  test('with 200 entries is read, and with more it is rejected before any of them is parsed', async () => {
    body = { data: repeated(200, { id: '5' }) };
    expect((await network.posts(access)).unreadable).toHaveLength(200);
    body = { data: repeated(201, { id: '5' }) };
    expect(await faultIn(network.posts(access))).toMatchObject({ reason: 'unavailable' });
  });

  test('with a conversation of 200 participants is read, and one with more is unreadable', async () => {
    const conversation = (count: number) => ({
      id: '5',
      updated_time: '2026-11-23T01:00:00+0000',
      participants: { data: repeated(count, { id: '6' }) },
    });
    body = { data: [conversation(200), conversation(201)] };
    expect(await network.conversations(access)).toMatchObject({ items: [{ id: '5' }], unreadable: ['5'] });
  });

  test('with a message of 200 shares is read, and one with more is unreadable', async () => {
    const message = (count: number) => ({
      id: '5',
      created_time: '2026-11-23T01:00:00+0000',
      from: { id: '6' },
      shares: { data: repeated(count, { link: 'https://example.com/' }) },
    });
    body = { data: [message(200), message(201)] };
    expect(await network.messages(access, '7')).toMatchObject({ items: [{ id: '5' }], unreadable: ['5'] });
  });
});
