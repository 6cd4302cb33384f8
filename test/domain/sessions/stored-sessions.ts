/** Sessions on a table of tests. */
import { type Session, sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { checkSession, insertSession } from '../../../shared/domain/sessions/session-store.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { testIds, testTime } from '../../support/test-table.ts';

export const aSession = (): Session => ({
  sessionId: testIds.next(),
  accountId: testIds.next(),
  kind: 'social',
  provider: 'Google',
  subject: 'subject',
  username: 'Google_1',
  authenticatedAt: testTime,
  loginId: 'login',
  userAgent: '',
  createdAt: testTime,
  expiresAt: testTime + 12 * 3_600_000,
});

export const storedSessions = (table: Table) => ({
  stored: async (given: Partial<Session> = {}) => {
    const digest = sessionDigest(testIds.secret(32));
    const made = { ...aSession(), ...given };
    await table.transact([insertSession(digest, made)]);
    return { digest, session: made };
  },
  passes: (digest: string, now: number, confirmation?: { provider: string }) =>
    table.transact([checkSession(digest, now, confirmation)]).then(
      () => true,
      () => false,
    ),
});
