/** Slow requests of one caller to the local service. */
import { expect, test } from 'vitest';
import { requestLimit } from '../../../infra/local/request-limit.ts';

const batch = '/api/v1/generate/batch';
const never = () => new Promise<never>(() => undefined);

test('slow requests of one token, however their headers are written, leave places for requests of other tokens', async () => {
  const limited = requestLimit();
  const headers = (index: number) => ({
    Cookie: `x=${index}`,
    authorization: `${index % 2 ? 'Bearer' : 'bearer'} av_slow`,
  });
  for (let index = 0; index < 100; index += 1) void limited({ resource: batch, headers: headers(index) }, never);
  expect(await limited({ resource: batch, headers: { Authorization: 'Bearer av_other' } }, async () => 1)).toBe(1);
});

test('requests for generations, even of many tokens, do not keep other requests waiting', async () => {
  const limited = requestLimit();
  for (let index = 0; index < 100; index += 1) {
    void limited({ resource: batch, headers: { Authorization: `Bearer av_${index}` } }, never);
  }
  expect(await limited({ resource: '/health', headers: {} }, async () => 1)).toBe(1);
});
