/** The account that a local service creates, so that the first request needs no preparation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopes } from '../../shared/contracts/scopes.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { createToken } from '../../shared/domain/tokens/create-token.ts';
import { isWellFormedToken, tokenDigest } from '../../shared/domain/tokens/token.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import type { Context } from '../../shared/runtime/context.ts';

const credits = 1000;
const planId = 'business';

export interface DemoAccount {
  readonly token: string;
  readonly webhookToken: string;
}

/** The demo account's file in the data directory. */
export const demoFile = (dataDir: string): string => join(dataDir, 'demo-account.json');

/** The content of the file; undefined if it is missing, damaged or edited. */
function read(path: string): DemoAccount | undefined {
  try {
    const demo = JSON.parse(readFileSync(path, 'utf8')) as DemoAccount;
    return isWellFormedToken(demo.token) ? demo : undefined;
  } catch {
    return undefined;
  }
}

/** The account of an earlier start, if its data still exists. */
async function find(context: Context, path: string): Promise<DemoAccount | undefined> {
  const demo = read(path);
  if (!demo) return undefined;
  const admission = await context.tokens.admit(tokenDigest(demo.token), context.clock.now());
  return admission.status === 'rejected' ? undefined : demo;
}

/** Creates an account with a token of all scopes. */
export async function accountWithToken(
  context: Context,
  given: { readonly credits?: number; readonly planId?: string },
): Promise<DemoAccount> {
  const { accountId } = await createAccount(context, { email: 'demo@example.com', name: 'Demo', credits: 0, ...given });
  const webhookSecrets = webhookSecretsOf(context);
  const { token, webhookToken } = await createToken(
    { ...context, webhookSecrets },
    { accountId, name: 'demo', scopes },
  );
  return { token, webhookToken };
}

async function create(context: Context, path: string): Promise<DemoAccount> {
  const demo = await accountWithToken(context, { credits, planId });
  writeFileSync(path, JSON.stringify(demo, null, 2), { mode: 0o600 });
  return demo;
}

export async function demoAccount(context: Context, dataDir: string): Promise<DemoAccount> {
  const path = demoFile(dataDir);
  return (await find(context, path)) ?? (await create(context, path));
}
