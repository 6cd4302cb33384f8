/** The members of the errors in responses. */
import { type ErrorCode, errors } from './errors.ts';
import { oneOf, shortText } from './fields.ts';
import { once } from './once.ts';
import { retries } from './openapi/retries.ts';

const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** For each error code, whether to retry; in this form, generated clients need not parse the description. */
const retryByCode = () => Object.fromEntries(Object.entries(retries).map(([code, { retry }]) => [code, retry]));

const ErrorCodes = once(() => oneOf(errorCodes).meta({ id: 'ErrorCode', 'x-retry': retryByCode() }));

export const errorMembers = () => ({
  code: ErrorCodes().describe('The code to branch on.'),
  message: shortText(10_000).describe('A description for humans; its wording may change.'),
});
