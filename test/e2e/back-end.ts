/** A back end that uses the service: an account with credits, a token, and common actions. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Client, client, type Task } from '../../client/client.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { eventually } from '../support/eventually.ts';
import { operate, target } from './target.ts';

interface CreatedToken {
  readonly token: string;
  readonly webhookToken: string;
}

export interface BackEnd extends CreatedToken {
  readonly accountId: string;
  readonly api: Client;
  /** Creates a task; `behavior` is the requested behavior of its engine. */
  speak(request?: { readonly behavior?: string; readonly callbackUrl?: string }): Promise<string>;
  task(taskId: string): Promise<Task>;
  ended(taskId: string, patienceMs?: number): Promise<Task>;
  balance(): Promise<number>;
  /** Fails unless the balance is the sum of the ledger; returns the ledger's amounts and reasons, newest first. */
  ledger(): Promise<readonly (readonly [amount: number, reason: string])[]>;
}

/** Polls slowly, because a token has 60 requests a minute for everything that a test does. */
const askEveryMs = 1500;

async function ledgerOf(api: Client): Promise<readonly (readonly [number, string])[]> {
  const { data } = await api.listCreditHistory({ query: { limit: 100 } });
  expect(data.history.reduce((sum, { amount }) => sum + amount, 0)).toBe(data.balance);
  return data.history.map(({ amount, reason }) => [amount, reason]);
}

function backEnd(accountId: string, created: CreatedToken): BackEnd {
  const api = client({ baseUrl: target.url, token: created.token, maxRetries: 0 });
  const task = async (taskId: string) => (await api.getTask({ params: { taskId } })).data;
  return {
    ...created,
    accountId,
    api,
    task,
    async speak({ behavior, callbackUrl } = {}) {
      const text = behavior ? `Olá. [offline:${behavior}]` : 'Olá! O seu vídeo está pronto.';
      const body = { text, voice: 'sarah', ...(callbackUrl !== undefined && { callbackUrl }) } as const;
      return (await api.generateVoice({ body })).data.taskId;
    },
    ended: (taskId, patienceMs = 60_000) =>
      eventually(
        `the end of task ${taskId}`,
        async () => {
          const found = await task(taskId);
          return found.status === 'completed' || found.status === 'failed' ? found : undefined;
        },
        { patienceMs, everyMs: askEveryMs },
      ),
    async balance() {
      return (await api.listCreditHistory()).data.balance;
    },
    ledger: () => ledgerOf(api),
  };
}

const newToken = (accountId: string, ...more: string[]): Promise<CreatedToken> =>
  operate('token', 'create', '--account', accountId, '--name', 'e2e', '--scopes', scopes.join(','), ...more);

/** A back end with a test token of the same account. */
export const testBackEndOf = async ({ accountId }: BackEnd): Promise<BackEnd> =>
  backEnd(accountId, await newToken(accountId, '--test'));

export async function newBackEnd(credits: number, plan?: string): Promise<BackEnd> {
  const account = ['--email', `${randomUUID()}@example.com`, '--name', 'E2E', '--credits', String(credits)];
  if (plan !== undefined) account.push('--plan', plan);
  const { accountId } = await operate<{ accountId: string }>('account', 'create', ...account);
  return backEnd(accountId, await newToken(accountId));
}
