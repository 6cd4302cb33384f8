/** How many tasks of test tokens may be open. */
import { expect, test } from 'vitest';
import { live, speak, startTestModeScene, tests } from './test-mode-scene.ts';

await startTestModeScene();

test('the open tasks of test tokens take none of the slots of live tokens', async () => {
  const responses = await Promise.all(Array.from({ length: 21 }, () => speak(tests, '[test:slow=120]')));
  expect(responses.filter(({ status }) => status === 202)).toHaveLength(20);
  expect((await speak(live, 'Um.')).status).toBe(202);
});
