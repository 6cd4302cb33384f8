import { describe, expect, test } from 'vitest';
import { sentRequest } from '../../dashboard/pages/tasks/sent-request.ts';
import { generateContracts, generationOf } from '../../shared/contracts/generate.ts';

const contracts = Object.values(generateContracts);

describe('the request that the page of a task shows', () => {
  test.each(contracts)('of $taskType means the same, and has no field that can be left out', ({ body, example }) => {
    const stored = body.parse(example.body) as Record<string, unknown>;
    const sent = sentRequest(body, stored);
    expect(body.parse(sent)).toEqual(stored);
    const unneeded = Object.keys(sent).filter((name) => {
      const { success, data } = body.safeParse({ ...sent, [name]: undefined });
      return success && JSON.stringify(data) === JSON.stringify(stored);
    });
    expect(unneeded).toEqual([]);
  });

  test('contains what was sent, in the order of the documentation, whatever was stored with it', () => {
    const stored = { stability: 0.5, similarityBoost: 0.75, voice: 'sarah', text: 'Olá!' };
    expect(JSON.stringify(sentRequest(generationOf('voice').body, stored))).toBe('{"text":"Olá!","voice":"sarah"}');
  });

  test('keeps a value that differs from the default', () => {
    const stored = { stability: 0.9, similarityBoost: 0.75, voice: 'sarah', text: 'Olá!' };
    expect(sentRequest(generationOf('voice').body, stored)).toEqual({ text: 'Olá!', voice: 'sarah', stability: 0.9 });
  });

  test('is shown as it is stored when the contract does not accept it any more', () => {
    const stored = { words: 'Olá!' };
    expect(sentRequest(generationOf('voice').body, stored)).toBe(stored);
  });
});
