/** Begins a log-in, or the confirmation of a session by another log-in. */
import { createHash } from 'node:crypto';
import type { Identity, LoginPrompt, OperatorIdentity } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { insertLogin, type Login } from './login-store.ts';
import { operatorPages, returnPath } from './return-path.ts';
import { type Session, sessionSecretBytes } from './session.ts';

interface Needs {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly identity: Pick<Identity, 'loginUrl'>;
  readonly table: Table;
}

interface LoginOptions {
  /** The path of a page. */
  readonly returnTo: string;
  readonly provider?: string | undefined;
  /** The digest of an operator's session. */
  readonly replaces?: string | undefined;
}

interface Begun {
  /** The URL to which the browser is redirected. */
  readonly url: string;
  /** The cookie's secret, which ties the log-in to this browser. */
  readonly secret: string;
}

async function begin(
  { clock, ids, identity, table }: Needs,
  { returnTo, provider, replaces }: LoginOptions,
  confirmation: { readonly confirms: NonNullable<Login['confirms']>; readonly prompt: LoginPrompt } | undefined,
): Promise<Begun> {
  const secretOf = () => ids.secret(sessionSecretBytes);
  const [secret, state, nonce, verifier] = [secretOf(), secretOf(), secretOf(), secretOf()];
  await insertLogin(
    table,
    { secret, state },
    {
      nonce,
      verifier,
      returnTo,
      startedAt: clock.now(),
      ...(confirmation && { confirms: confirmation.confirms }),
      ...(replaces !== undefined && { replaces }),
    },
  );
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const url = identity.loginUrl({
    state,
    nonce,
    challenge,
    ...(provider !== undefined && { provider }),
    ...(confirmation && { prompt: confirmation.prompt }),
  });
  return { url, secret };
}

/** The browser's request, not validated yet. */
interface Asked {
  readonly returnTo: string | undefined;
  readonly provider?: string | undefined;
}

export const beginLogin = (context: Needs, { returnTo, provider }: Asked): Promise<Begun> =>
  begin(context, { returnTo: returnPath(returnTo), provider }, undefined);

export const beginOperatorLogin = (
  { operatorIdentity, ...context }: Omit<Needs, 'identity'> & { readonly operatorIdentity: OperatorIdentity },
  { returnTo, replaces }: Pick<Asked, 'returnTo'> & Pick<LoginOptions, 'replaces'>,
): Promise<Begun> =>
  begin(
    { ...context, identity: operatorIdentity },
    { returnTo: returnPath(returnTo, operatorPages), replaces },
    undefined,
  );

/** Begins the confirmation of a session, which only the same owner can give through the same provider. */
export const beginConfirmation = (
  context: Needs,
  { session, digest }: { readonly session: Session; readonly digest: string },
  { returnTo, prompt }: { readonly returnTo: string | undefined; readonly prompt: LoginPrompt },
): Promise<Begun> => {
  const { accountId, loginId, provider, subject } = session;
  const confirms = { digest, accountId, subject, provider, loginId };
  return begin(context, { returnTo: returnPath(returnTo), provider }, { confirms, prompt });
};
