/** Errors in the log contain enough to find the cause, but no data that a library attaches. */
import { describe, expect, test } from 'vitest';
import { TransactionCanceled } from '../../shared/platform/dynamo-table.ts';
import { plainErrors } from '../../shared/runtime/plain-error.ts';

const logged = (error: Error) => (JSON.parse(JSON.stringify({ error }, plainErrors)) as { error: unknown }).error;

describe('an error in the log', () => {
  test('has its name, message, code and stack, and those of its causes', () => {
    const root = Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('no response', { cause: root }), { name: 'EngineFault' });
    expect(logged(error)).toEqual({
      name: 'EngineFault',
      message: 'no response',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'refused', code: 'ECONNREFUSED', stack: root.stack },
    });
  });

  test.for([
    ['the bytes of a response', Object.assign(new Error('no HTTP'), { rawPacket: Buffer.from('secret') })],
    ['the text of a response', Object.assign(new Error('no HTTP'), { data: 'secret' })],
    ['a URL', Object.assign(new Error('no URL'), { input: 'https://example.com/?secret' })],
    ['an invalid code', Object.assign(new Error('odd'), { code: { secret: true } })],
    ['an item of the table', new TransactionCanceled([{ item: { text: 'secret' } }])],
    ['a cause that is not an error', new Error('thrown', { cause: 'secret' })],
    [
      'the text of a response in a nested cause',
      new Error('outer', { cause: Object.assign(new Error('inner'), { data: 'secret' }) }),
    ],
  ] as const)('does not contain %s', ([, error]) => {
    expect(JSON.stringify(logged(error))).not.toMatch(/secret|115,101,99/);
    expect(logged(error)).toMatchObject({ message: error.message });
  });
});

test('a logged value that is not an error is logged unchanged', () => {
  const line = { taskId: 'one', attempts: [{ at: 1 }], nothing: null };
  expect(JSON.parse(JSON.stringify(line, plainErrors))).toEqual(line);
});
