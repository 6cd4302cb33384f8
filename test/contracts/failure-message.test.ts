import { expect, test } from 'vitest';
import { en } from '../../dashboard/language/en.ts';
import { ptBr } from '../../dashboard/language/pt-br.ts';
import { failureMessage, taskErrorCodes, taskErrors } from '../../shared/contracts/errors.ts';

test.each(taskErrorCodes)(
  'the message of a task that failed with %s says that its credits were refunded, in every language',
  (code) => {
    expect(failureMessage(code)).toBe(`${taskErrors[code]} The credits were refunded.`);
    expect(en.taskErrors[code]).toContain('credits were returned');
    expect(ptBr.taskErrors[code]).toContain('créditos foram devolvidos');
  },
);

test.each([
  ['imageUrl must be a PNG file, not GIF', 'imageUrl must be a PNG file, not GIF. The credits were refunded.'],
  ['It is too long.', 'It is too long. The credits were refunded.'],
])('the failure detail "%s" is followed by a sentence about the refund', (detail, message) => {
  expect(failureMessage('INPUT_INVALID', detail)).toBe(message);
});
