/** The act by which operators see an account as its owner does. */
import { timestamp } from '../../platform/clock.ts';
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import { accountClosed, isClosed, requireOpen } from '../accounts/closed-account.ts';
import { accountForms } from '../act-forms/account-forms.ts';
import { endOfSession, type OperatorSession, tieView } from '../operator-sessions/operator-session.ts';
import { Rejection } from '../rejection.ts';
import { type Session, sessionDigest, sessionSecretBytes } from '../sessions/session.ts';
import { endIfLive, insertSession } from '../sessions/session-store.ts';
import type { Stores } from '../stores.ts';
import { act } from './act.ts';
import { aboutAccount, findAccount } from './find-subject.ts';
import type { ActNeeds } from './perform-act.ts';

/** How long a view lasts. It is never extended. */
const viewMinutes = 15;

/** The session in which an operator begins a view, and the browser that gets it. */
export interface Viewing {
  readonly session: OperatorSession;
  /** The key under which the session is stored. */
  readonly digest: string;
  readonly give: (secret: string, seconds: number) => void;
}

type Needs = ActNeeds & Pick<Stores, 'accounts'> & { readonly viewing: Viewing };

/** A session that has no log-in of an owner. Its id is that of the act, so that the log of requests leads to the reason. */
const viewOf = (view: Required<Pick<Session, 'accountId' | 'createdAt' | 'expiresAt' | 'sessionId' | 'viewedBy'>>) => ({
  ...view,
  kind: 'password' as const,
  provider: 'none',
  subject: '',
  username: '',
  loginId: '',
  userAgent: '',
  authenticatedAt: 0,
});

export const seeAsCustomer = act({
  ...accountForms.seeAsCustomer,
  commits: 'at-once',
  isForPages: true,
  async find(needs: Needs, { account: accountId }) {
    if (isClosed(await findAccount(needs, accountId))) throw accountClosed();
    return { ...aboutAccount(accountId), state: {} };
  },
  after: () => ({ access: 'read-only', minutes: viewMinutes }),
  async perform({ ids, table, viewing }, { account: accountId }, { actId, at, operator, recording }) {
    const { digest, give, session } = viewing;
    const secret = ids.secret(sessionSecretBytes);
    const view = sessionDigest(secret);
    // Eight hours after its log-in, the operator's session has ended.
    const expiresAt = Math.min(at + viewMinutes * 60_000, endOfSession(session));
    const of = { sessionId: actId, accountId, viewedBy: operator.id, createdAt: at, expiresAt };
    const writes = [insertSession(view, viewOf(of)), requireOpen(accountId), tieView(digest, view, session.viewDigest)];
    // The browser has a single view. The earlier one ends first: nothing else would end it once another is tied.
    if (session.viewDigest !== undefined) await endIfLive(table, session.viewDigest, at);
    try {
      await recording({ access: 'read-only', until: timestamp(expiresAt) }).transact(writes);
    } catch (error) {
      if (!(error instanceof TransactionCanceled)) throw error;
      if (error.failures[1]) throw accountClosed();
      if (!error.failures[2]) throw error;
      const message = 'Your session has ended, or another view has begun meanwhile: try again.';
      throw new Rejection('in-progress', { message });
    }
    give(secret, Math.ceil((expiresAt - at) / 1000));
    return { accountId };
  },
});
