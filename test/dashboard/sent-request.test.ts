import { describe, expect, test } from 'vitest';
import { sentRequest } from '../../dashboard/pages/tasks/sent-request.ts';
import { generateContracts, generationOf } from '../../shared/contracts/generate.ts';

const contracts = Object.values(generateContracts);

describe('the request that the page of a task shows', () => {
  test.each(contracts)(
    'leads to the same stored input as the original for $taskType, and has no unnecessary field',
    ({ body, example }) => {
      const stored = body.parse(example.body) as Record<string, unknown>;
      const sent = sentRequest(body, stored);
      expect(body.parse(sent)).toEqual(stored);
      const unneeded = Object.keys(sent).filter((name) => {
        const { success, data } = body.safeParse({ ...sent, [name]: undefined });
        return success && JSON.stringify(data) === JSON.stringify(stored);
      });
      expect(unneeded).toEqual([]);
    },
  );

  test('contains only what was sent, in the order of the documentation, whatever else was stored with it', () => {
    const stored = { stability: 0.5, similarityBoost: 0.75, voice: 'sarah', text: 'Olá!' };
    expect(JSON.stringify(sentRequest(generationOf('voice').body, stored))).toBe('{"text":"Olá!","voice":"sarah"}');
  });

  test('keeps a value that differs from the default', () => {
    const stored = { stability: 0.9, similarityBoost: 0.75, voice: 'sarah', text: 'Olá!' };
    expect(sentRequest(generationOf('voice').body, stored)).toEqual({ text: 'Olá!', voice: 'sarah', stability: 0.9 });
  });

  test('is the stored input unchanged if the contract no longer accepts it', () => {
    const stored = { words: 'Olá!' };
    expect(sentRequest(generationOf('voice').body, stored)).toBe(stored);
  });
});
