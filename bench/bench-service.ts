/** The service to benchmark: in memory, without background work. */

import { type Client, client } from '../client/client.ts';
import { type Service, startService } from '../infra/local/host.ts';
import { scopes } from '../shared/contracts/scopes.ts';
import type { TokenMode } from '../shared/contracts/token-modes.ts';
import { createAccount } from '../shared/domain/accounts/create-account.ts';
import { issueToken } from '../shared/domain/tokens/issue-token.ts';
import { webhookSecretsOf } from '../shared/platform/webhook-secrets.ts';
import { requestsAlone } from './counted-service.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** How many tasks of an account may be open; its token may make three times as many requests per minute. */
export const tasksPerAccount = 20;

export interface BenchAccount {
  readonly accountId: string;
  readonly tokenId: string;
  readonly token: string;
  readonly api: Client;
}

export interface BenchService {
  readonly service: Service;
  /** A new account with a token of this mode, which is live by default. */
  account(mode?: TokenMode): Promise<BenchAccount>;
  close(): Promise<void>;
}

export async function startBenchService(): Promise<BenchService> {
  const service = await startService({
    port: 0,
    dataDir: temporaryDirectory('bench'),
    inMemory: true,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    functions: requestsAlone,
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });
  const { context, url: baseUrl } = service;
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  return {
    service,
    async account(mode = 'live') {
      const { accountId } = await createAccount(context, { email: 'bench@example.com', name: 'Bench', credits: 1000 });
      const { token, tokenId } = await issueToken(needs, { accountId, name: 'bench', scopes, mode });
      return { accountId, tokenId, token, api: client({ baseUrl, token, maxRetries: 0 }) };
    },
    close: () => service.close(),
  };
}
