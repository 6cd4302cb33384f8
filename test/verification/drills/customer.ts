/** A customer of the stage: an account with credits, and a client of the API. */
import { randomUUID } from 'node:crypto';
import { type Client, client, type Task } from '../../../client/client.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { eventually } from '../../support/eventually.ts';

export interface Customer {
  readonly accountId: string;
  readonly tokenId: string;
  readonly api: Client;
  /** Creates a task with a text of 41 characters, or with one that requests a behavior of the engine. */
  speak(options?: { readonly behavior?: string; readonly callbackUrl?: string }): Promise<string>;
  ended(taskId: string): Promise<Task>;
  balance(): Promise<number>;
  /** Whether the balance is the sum of the account's credit history. */
  isBalanced(): Promise<boolean>;
}

/** Runs an operator's command, such as `account show --account …`. */
export type Operate = <Result>(command: string) => Promise<Result>;

export async function newCustomer(baseUrl: string, operate: Operate, credits: number): Promise<Customer> {
  const { accountId } = await operate<{ accountId: string }>(
    `account create --email ${randomUUID()}@example.com --name Drill --credits ${credits}`,
  );
  const { token, tokenId } = await operate<{ token: string; tokenId: string }>(
    `token create --account ${accountId} --name drill --scopes ${scopes.join(',')}`,
  );
  const api = client({ baseUrl, token, maxRetries: 0 });
  const history = async () => (await api.listCreditHistory({ query: { limit: 100 } })).data;
  return {
    accountId,
    tokenId,
    api,
    async speak({ behavior, callbackUrl } = {}) {
      const text = behavior ? `Olá. [offline:${behavior}]` : 'Olá! O seu vídeo está pronto: veja o resultado.';
      const body = { text, voice: 'sarah', ...(callbackUrl !== undefined && { callbackUrl }) } as const;
      return (await api.generateVoice({ body })).data.taskId;
    },
    ended: (taskId) =>
      eventually(
        `the end of the task ${taskId}`,
        async () => {
          const { data } = await api.getTask({ params: { taskId } });
          return data.status === 'completed' || data.status === 'failed' ? data : undefined;
        },
        { patienceMs: 120_000, everyMs: 1500 },
      ),
    balance: async () => (await history()).balance,
    async isBalanced() {
      const { balance, history: movements } = await history();
      return movements.reduce((sum, { amount }) => sum + amount, 0) === balance;
    },
  };
}
