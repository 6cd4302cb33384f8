/** A page of a hundred messages fits into a Lambda response, whatever people write and attach. */
import { expect, test } from 'vitest';
import { successBody } from '../../../shared/contracts/envelope.ts';
import { clippedMessage } from '../../../shared/domain/piloto/clip-texts.ts';

/** The size limit of a function's response, in which the body is a JSON string. */
const maxBytes = 6 * 1024 * 1024;

const urlOf = (length: number) => `https://example.com/${'a'.repeat(length - 'https://example.com/'.length)}`;

test.for([
  ['quotation marks', '"'],
  ['backslashes', '\\'],
  ['line breaks', '\n'],
  ['control characters', '\u0001'],
  ['characters of three bytes', '漢'],
  ['characters of four bytes', '😀'],
  ['halves of surrogate pairs', '\ud83d'],
] as const)('a hundred messages that consist only of %s fit into a response', ([, character]) => {
  const attachments = [2048, 2049, 4096].flatMap((length) =>
    Array.from({ length: 30 }, () => ({ type: 'a'.repeat(40), url: urlOf(length) })),
  );
  const message = clippedMessage({ text: character.repeat(20_000), attachments });
  const shape = {
    id: 'a'.repeat(22),
    direction: 'outbound',
    status: 'delivered',
    createdAt: new Date(0).toISOString(),
  };
  const body = successBody({ messages: Array.from({ length: 100 }, () => ({ ...shape, ...message })) });
  expect(message.attachments).toHaveLength(10);
  expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body }))).toBeLessThan(maxBytes);
});

test('a shortened text keeps its line breaks and tabs', () => {
  const text = 'Oi!\n\tTudo bem?\r\n';
  expect(clippedMessage({ text, attachments: [] }).text).toBe(text);
});
