/** Lets the writes of a request happen only while its account is open. */
import type { Write } from '../idempotency/run-once.ts';
import { liveAccountOf } from '../test-account.ts';
import { accountClosed, unlessClosed } from './closed-account.ts';

/** The condition that an account, or that of a test account's owner, is neither closing nor erased. */
export const whileOpen = (accountId: string): Write => ({
  action: unlessClosed(liveAccountOf(accountId)),
  rejection: accountClosed,
});
