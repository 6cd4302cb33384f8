import { expect, test } from 'vitest';
import { attemptText } from '../../dashboard/operate/attempt-text.ts';

test.each([
  [{ statusCode: 500, error: 'status 500' }, 'attempt 3: HTTP 500'],
  [{ statusCode: 204, error: null }, 'attempt 3: HTTP 204'],
  [{ statusCode: null, error: 'connection' }, 'attempt 3: no connection'],
  [{ statusCode: null, error: 'address rejected' }, 'attempt 3: address rejected'],
  [{}, 'attempt 3: delivered'],
])('operators read how the attempt %j to deliver a webhook ended', (attempt, text) => {
  expect(attemptText(3, attempt)).toBe(text);
});
