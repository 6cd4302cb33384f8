import { expect, test } from 'vitest';
import { keyPerRequest } from '../../dashboard/pages/playground/key-per-request.ts';

test('the code that the playground shows keeps its idempotency key until the request changes, and never reuses a key', () => {
  const keyOf = keyPerRequest();
  const requests = [
    { operation: 'generateVoice', mode: 'test', body: { text: 'A' } },
    { operation: 'generateVoice', mode: 'test', body: { text: 'B' } },
    { operation: 'generateVoice', mode: 'live', body: { text: 'B' } },
    { operation: 'generateImage', mode: 'live', body: { text: 'B' } },
    { operation: 'generateVoice', mode: 'test', body: { text: 'A' } },
  ];
  const keys = requests.map((request) => {
    const key = keyOf(request);
    expect(keyOf({ ...request })).toBe(key);
    return key;
  });
  expect(new Set(keys).size).toBe(requests.length);
});
