/** What of an error gets into the log: enough to find its cause, and nothing that a library happened to hang on it. */
import { describe, expect, test } from 'vitest';
import { TransactionRefused } from '../../shared/platform/dynamo-table.ts';
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
    ['the bytes of an answer', Object.assign(new Error('no HTTP'), { rawPacket: Buffer.from('secret') })],
    ['the text of an answer', Object.assign(new Error('no HTTP'), { data: 'secret' })],
    ['an address', Object.assign(new Error('no URL'), { input: 'https://example.com/?secret' })],
    ['a code that is none', Object.assign(new Error('odd'), { code: { secret: true } })],
    ['what stood in the table', new TransactionRefused([{ item: { text: 'secret' } }])],
    ['a cause that is no error', new Error('thrown', { cause: 'secret' })],
    ['any of this further down', new Error('outer', { cause: Object.assign(new Error('inner'), { data: 'secret' }) })],
  ] as const)('has nothing of %s', ([, error]) => {
    expect(JSON.stringify(logged(error))).not.toMatch(/secret|115,101,99/);
    expect(logged(error)).toMatchObject({ message: error.message });
  });
});

test('whatever is no error is logged as it is', () => {
  const line = { taskId: 'one', attempts: [{ at: 1 }], nothing: null };
  expect(JSON.parse(JSON.stringify(line, plainErrors))).toEqual(line);
});
