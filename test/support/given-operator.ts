/** Sessions of operators for tests, and requests as a page of the operators makes them. */
import { type OperateOperationId, operateContracts } from '../../shared/contracts/operate.ts';
import type { OperatorRole } from '../../shared/contracts/operator-roles.ts';
import { insertOperatorSession, type OperatorSession } from '../../shared/domain/operator-sessions/operator-session.ts';
import { sessionDigest, sessionSecretBytes } from '../../shared/domain/sessions/session.ts';
import { cookie, operatorCookie } from '../../shared/runtime/cookies.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { callPage, type PageCall } from './given-session.ts';
import type { TestResponse } from './test-service.ts';

export interface GivenOperator {
  readonly session: OperatorSession;
  /** The value of the `Cookie` header. */
  readonly cookie: string;
}

/** The session of an operator who has just logged in. */
export async function giveOperator(
  { clock, ids, settings, table }: Pick<FullContext, 'clock' | 'ids' | 'settings' | 'table'>,
  role: OperatorRole,
  email = `${role}@example.com`,
): Promise<GivenOperator> {
  const secret = ids.secret(sessionSecretBytes);
  const session = {
    sessionId: ids.next(),
    operatorId: `id-of-${email}`,
    email,
    role,
    createdAt: clock.now(),
    userAgent: 'test',
  };
  await insertOperatorSession(table, sessionDigest(secret), session);
  const [pair = ''] = cookie(operatorCookie, secret, 0, settings).split(';');
  return { session, cookie: pair };
}

/** Calls an operation like a page of the operators: with its cookie and from its own origin. */
export const callAsOperator = (
  url: string,
  operationId: OperateOperationId,
  call: PageCall,
): Promise<TestResponse & { readonly cookies: readonly string[] }> =>
  callPage(url, operateContracts[operationId], call);
