import { expect, test } from 'vitest';
import { dictionaries } from '../../dashboard/language/dictionaries.ts';
import { type Locale, locales } from '../../dashboard/language/format.ts';
import { failureMessage, taskErrorCodes, taskErrors } from '../../shared/contracts/errors.ts';

/** What the dashboard says about the credits of a failed task, in each of its languages. */
const returned: Readonly<Record<Locale, string>> = {
  en: 'credits were returned',
  'pt-BR': 'créditos foram devolvidos',
};

test.each(taskErrorCodes)(
  'the message of a task that failed with %s says in every language that its credits were refunded',
  (code) => {
    expect(failureMessage(code)).toBe(`${taskErrors[code]} The credits were refunded.`);
    for (const locale of locales) expect(dictionaries[locale].taskErrors[code]).toContain(returned[locale]);
  },
);

test.each([
  ['imageUrl must be a PNG file, not GIF', 'imageUrl must be a PNG file, not GIF. The credits were refunded.'],
  ['It is too long.', 'It is too long. The credits were refunded.'],
])('the failure detail "%s" is followed by a sentence about the refund', (detail, message) => {
  expect(failureMessage('INPUT_INVALID', detail)).toBe(message);
});
