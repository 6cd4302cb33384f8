/** Creates the demo account of a local service, so that the first request needs no preparation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorRoles } from '../../shared/contracts/operator-roles.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { groupOf } from '../../shared/domain/operator-sessions/operator-groups.ts';
import { invite } from '../../shared/domain/sessions/invitation.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { isWellFormedToken, tokenDigest } from '../../shared/domain/tokens/token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import type { Service } from './host.ts';

const credits = 1000;
const planId = 'business';

export interface DemoAccount {
  readonly accountId: string;
  readonly token: string;
  readonly webhookToken: string;
}

/** The file in the data directory that stores the demo account's tokens. */
export const demoFile = (dataDir: string): string => join(dataDir, 'demo-account.json');

/** The content of the file; undefined if it is missing, damaged or edited. */
function read(path: string): Pick<DemoAccount, 'token' | 'webhookToken'> | undefined {
  try {
    const demo = JSON.parse(readFileSync(path, 'utf8')) as Pick<DemoAccount, 'token' | 'webhookToken'>;
    return isWellFormedToken(demo.token) ? demo : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the account of an earlier start, if its data still exists. */
async function find(context: FullContext, path: string): Promise<DemoAccount | undefined> {
  const demo = read(path);
  if (!demo) return undefined;
  const admission = await context.tokens.admit(tokenDigest(demo.token), context.clock.now());
  return admission.status === 'rejected' ? undefined : { ...demo, accountId: admission.token.accountId };
}

/** Creates an account with a token of all scopes. */
async function accountWithToken(context: FullContext): Promise<DemoAccount> {
  const { accountId } = await createAccount(context, { email: 'demo@example.com', name: 'Demo', credits, planId });
  const webhookSecrets = webhookSecretsOf(context);
  const { token, webhookToken } = await issueToken({ ...context, webhookSecrets }, { accountId, name: 'demo', scopes });
  return { accountId, token, webhookToken };
}

async function create(context: FullContext, path: string): Promise<DemoAccount> {
  const demo = await accountWithToken(context);
  const { token, webhookToken } = demo;
  writeFileSync(path, JSON.stringify({ token, webhookToken }, null, 2), { mode: 0o600 });
  return demo;
}

const operatorPassword = 'operator-password';

/**
 * Invites two users who can log in to the demo account, one by password and one through Google, and adds an operator of
 * each role.
 */
export async function demoLogIns({ context, identity }: Pick<Service, 'context' | 'identity'>, accountId: string) {
  if (!identity) throw new Error('the demo accounts need an identity provider');
  const [email, google, password] = ['demo@example.com', 'demo.google@example.com', 'demo-password'];
  identity.users.addWithPassword({ email, name: 'Demo' }, password);
  // Renewed at every start, because the account may differ from that of the last start.
  for (const address of [email, google]) await invite(context, address, { accountId, replaces: true });
  const operators = operatorRoles.map((role) => {
    const operator = `${role}@example.com`;
    identity.users.addWithPassword({ email: operator, name: role, groups: [groupOf(role)] }, operatorPassword);
    return operator;
  });
  const { dashboardUrl } = context.settings;
  return {
    url: `${dashboardUrl}/account/`,
    password: `${email}, password ${password}`,
    google,
    operators: `${dashboardUrl}/operate/\n                  ${operators.join(', ')}, password ${operatorPassword}`,
  };
}

export async function demoAccount(context: FullContext, dataDir: string): Promise<DemoAccount> {
  const path = demoFile(dataDir);
  return (await find(context, path)) ?? (await create(context, path));
}
