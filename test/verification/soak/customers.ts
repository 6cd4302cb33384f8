/** The load's accounts and tokens, what their back ends remember, and the operator who grants them credits. */
import type { Scope } from '../../../shared/contracts/scopes.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';

/** A creation under a key, as it was sent. */
export interface KeyedCreation {
  readonly key: string;
  readonly body: object;
  /** Known from a response. */
  taskId?: string;
}

export interface Customer {
  readonly accountId: string;
  /** The next token in turn: each takes no more than 60 requests a minute. */
  token(): string;
  /** A token that may only read tasks. */
  readonly narrowToken: string;
  /** The latest tasks, newest last. */
  readonly recent: string[];
  readonly creations: KeyedCreation[];
}

export interface Customers {
  readonly all: readonly Customer[];
  /** Whose tasks take long: its slots are all in use at times. */
  readonly crowded: Customer;
  /** Whose token is used far more often than it may. */
  readonly hurried: Customer;
  grant(customer: Customer, amount: number): Promise<void>;
}

export interface CustomersOptions {
  readonly accounts: number;
  readonly tokensPerAccount: number;
}

/** So few that they run out now and then. */
const creditsToBeginWith = 25;
const plenty = 1_000_000;

/** As many as a back end would still ask about. */
const remembered = 40;

/** Each once: the requests of a race get the same task. */
export function remember<Thing>(list: Thing[], thing: Thing): void {
  if (list.includes(thing)) return;
  list.push(thing);
  if (list.length > remembered) list.shift();
}

/** `context` leads past all faults: what an operator does is not what is tried here. */
export async function signUp(context: FullContext, options: CustomersOptions): Promise<Customers> {
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };

  async function tokenOf(accountId: string, allowed: readonly Scope[]): Promise<string> {
    return (await issueToken(needs, { accountId, name: 'soak', scopes: allowed })).token;
  }

  async function customer(credits: number, tokenCount: number): Promise<Customer> {
    const { accountId } = await createAccount(context, { email: 'soak@example.com', name: 'Soak', credits });
    const tokens: string[] = [];
    for (let count = 0; count < tokenCount; count += 1) tokens.push(await tokenOf(accountId, scopes));
    let turn = 0;
    return {
      accountId,
      token() {
        turn += 1;
        return tokens[turn % tokens.length] ?? '';
      },
      narrowToken: await tokenOf(accountId, ['read:tasks']),
      recent: [],
      creations: [],
    };
  }

  const { accounts, tokensPerAccount } = options;
  const all: Customer[] = [];
  for (let count = 0; count < accounts; count += 1) all.push(await customer(creditsToBeginWith, tokensPerAccount));
  return {
    all,
    crowded: await customer(plenty, tokensPerAccount),
    hurried: await customer(plenty, 1),
    async grant({ accountId }, amount) {
      const { accounts: store, clock, ids } = context;
      const row = { id: ids.next(), accountId, amount, reason: 'bonus', at: clock.now() } as const;
      if ((await store.post(row)) !== 'posted') throw new Error('credits were not granted');
    },
  };
}
