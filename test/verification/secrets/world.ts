/** The observed service: its process, a recorded line to each party, and its operator. */
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { demoAccount } from '../../../infra/local/demo-account.ts';
import { scopes as allScopes, type Scope } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { createFullContext } from '../../../shared/runtime/full-context.ts';
import { runTool, type ToolEnding } from '../../infra/cli/run-tool.ts';
import { withReason } from '../../infra/cli/with-reason.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';
import { keyCanaries, randomWords, sealCanary, tokenCanaries, wordCanaries } from './canaries.ts';
import { type ObservedService, observedService } from './observed-service.ts';
import { type RecordedResponse, rawClient } from './raw-client.ts';
import { recordedLine } from './recorded-line.ts';
import type { Canary } from './search.ts';
import { talkativeProvider } from './talkative-provider.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;
export type LineName = keyof Lines;

/** The variable with the URL of each part of the service, or of another party, that functions call. */
const variables = {
  database: 'AWS_ENDPOINT_URL_DYNAMODB',
  queue: 'AWS_ENDPOINT_URL_SQS',
  storage: 'AWS_ENDPOINT_URL_S3',
  workflow: 'AWS_ENDPOINT_URL_SFN',
  engine: settingVariables.offlineEngineUrl,
  provider: settingVariables.falQueueUrl,
  gateway: settingVariables.mercadoPagoUrl,
} as const;

type Line = Awaited<ReturnType<typeof recordedLine>>;
type Lines = Readonly<Record<keyof typeof variables | 'receiver', Line>>;

/** A recorded connection to each of these parties, and to those whose URLs are in the service's environment. */
async function startLines({ environment }: ObservedService, urls: Readonly<Record<string, string>>): Promise<Lines> {
  const own = Object.entries(variables).map(([name, variable]) => [name, environment[variable] ?? '']);
  const all = Object.entries({ ...Object.fromEntries(own), ...urls } as Record<keyof Lines, string>);
  return Object.fromEntries(
    await Promise.all(all.map(async ([name, url]) => [name, await recordedLine(url)] as const)),
  ) as unknown as Lines;
}

/** The URLs that route every request of the functions through a recorded line. */
const byLines = (lines: Lines): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(variables).map(([name, variable]) => [variable, lines[name as LineName].url])),
  [settingVariables.falRunUrl]: lines.provider.url,
});

async function runHere(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<ToolEnding> {
  Object.assign(process.env, environment);
  return runCommandLine(args);
}

export async function startWorld() {
  const service = await observedService();
  const { environment } = service;
  const context = createFullContext(environment);
  const words = randomWords((bytes) => context.ids.secret(bytes));
  const canaries: Canary[] = [
    ...wordCanaries(words),
    ...keyCanaries(service),
    ...tokenCanaries(await demoAccount(context, service.dataDir)),
  ];
  const [engine, provider, receiver] = await Promise.all([
    scriptedEngine(environment[settingVariables.offlineEngineKey] ?? ''),
    talkativeProvider(words, (callbackUrl) => canaries.push(sealCanary(callbackUrl))),
    webhookReceiver(),
  ]);
  const lines = await startLines(service, { engine: engine.url, provider: provider.url, receiver: receiver.url });
  const goBy = (besides: Readonly<Record<string, string>>): void => service.redirect({ ...byLines(lines), ...besides });
  goBy({});

  const printed: ToolEnding[] = [];
  const webhookSecrets = webhookSecretsOf(context);

  const token = async (accountId: string, scopes: readonly Scope[] = allScopes, expiresAt?: number) => {
    const request = { accountId, name: 'test', scopes, ...(expiresAt !== undefined && { expiresAt }) };
    const made = await issueToken({ ...context, webhookSecrets }, request);
    canaries.push(...tokenCanaries(made));
    return made;
  };

  return {
    ...rawClient(service.url),
    service,
    lines,
    engine,
    receiver,
    /** The responses to an account that requested data of another one. */
    strangers: [] as RecordedResponse[],
    words,
    canaries,
    /** A client that is not recorded, for requests that are not part of the run. */
    context,
    /** Everything that the operator's tool has printed so far. */
    printed,
    /** Adds variables to the functions' environment until the next call. */
    goBy,
    token,
    async account(credits: number, planId?: string) {
      const email = `${words.accountName}@example.com`;
      const named = { email, name: words.accountName, credits, ...(planId !== undefined && { planId }) };
      const { accountId } = await createAccount(context, named);
      return { accountId, ...(await token(accountId)) };
    },
    /** Runs a command as an operator; in a separate process, it runs as operators run it, but slowly. */
    async command(line: readonly string[], how?: 'in a process') {
      const args = await withReason(line);
      const given = { LOCAL_DATA_DIR: service.dataDir, POWERTOOLS_LOG_LEVEL: 'TRACE' };
      const ending = how ? await runTool(args, given) : await runHere(args, given);
      printed.push(ending);
      return ending;
    },
    async close(): Promise<void> {
      await service.close();
      await Promise.all([...Object.values(lines), engine, provider, receiver].map((one) => one.close()));
    },
  };
}
