/** A customer of a service that is killed: a separate account, and the calls that the service makes for it. */
import type { ServiceFile } from '../../../infra/local/service-file.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import type { TokenMode } from '../../../shared/contracts/token-modes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { createFullContext } from '../../../shared/runtime/full-context.ts';
import type { KillSwitch, Track } from './kill-switch.ts';
import { commits, type Match } from './service-call.ts';

export interface Customer {
  readonly accountId: string;
  readonly token: string;
  readonly track: Track;
}

const credits = 1000;

/** Creates an account, and its test account for a test token, without passing any recorder. */
async function newAccount({ environment }: ServiceFile, mode: TokenMode) {
  const context = createFullContext(environment);
  const { accountId } = await createAccount(context, { email: 'crash@example.com', name: 'Crash', credits });
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const { token } = await issueToken(needs, { accountId, mode, name: 'crash', scopes });
  return { accountId: mode === 'test' ? testAccountOf(accountId) : accountId, token };
}

const taskIn = /"TASK#([0-9a-f-]{36})"/;
const taskTokenIn = /\b[0-9a-f]{16}\.[0-9a-f]{64}\b/;

/** A call belongs to the customer whose account, token, task or task token it contains. */
function naming(...names: string[]): Match {
  return (call) => {
    const text = `${call.operation} ${call.body}`;
    if (!names.some((name) => text.includes(name))) return false;
    const [, taskId] = (commits(call) && taskIn.exec(call.body)) || [];
    const [taskToken] = (call.party === 'function' && taskTokenIn.exec(call.body)) || [];
    names.push(...[taskId, taskToken].filter((name) => name !== undefined));
    return true;
  };
}

/** Selects the calls that belong to this customer. */
export async function newCustomer(service: ServiceFile, killSwitch: KillSwitch, mode: TokenMode): Promise<Customer> {
  const { accountId, token } = await newAccount(service, mode);
  return { accountId, token, track: killSwitch.newTrack(naming(accountId, token)) };
}
