/** `npm start`: runs the service on this machine until a signal stops it. */
import { tokenVariable } from '../../shared/contracts/openapi/code-samples.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { makeVoicePreviews } from '../voice-previews.ts';
import { type DemoAccount, demoAccount, demoFile, demoLogIns } from './demo-account.ts';
import { connectDemoPages } from './demo-pages.ts';
import { type Service, startService } from './host.ts';
import { helpAsked, serviceOptions } from './options.ts';
import { startTiming, timingText } from './start-timing.ts';

const loadedMs = performance.now();

/** Logs only errors, so that the terminal stays readable; POWERTOOLS_LOG_LEVEL=INFO logs a line for each request. */
process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';

const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** The time limit of the shutdown, which is longer than any work in progress may take to finish. */
const stopMs = 10_000;

/**
 * Stops on the first signal only: Ctrl-C sends two, from the terminal and from npm, and the second must not interrupt
 * the shutdown.
 */
function stopOnSignals(service: Service): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => exitWith('The service did not stop in time.'), stopMs).unref();
      service.close().then(
        () => process.exit(0),
        (error: Error) => exitWith(error.message),
      );
    });
  }
}

/**
 * Builds pages and records voices in the background. If that fails, it is repeated at the next start, or when the files
 * are requested.
 */
async function workAhead({ buildPages, context }: Service): Promise<void> {
  const previews = makeVoicePreviews({ ...context, engines: clipEngines(context) }).catch(() => undefined);
  await Promise.all([buildPages(), previews]);
}

interface Greeted extends Pick<DemoAccount, 'token' | 'webhookToken'> {
  readonly service: Service;
  readonly logIns: Awaited<ReturnType<typeof demoLogIns>>;
  readonly dataDir: string;
  readonly inMemory: boolean;
}

/** The addresses of the service, and a request to begin with. */
const greeting = ({ service, logIns, token, webhookToken, dataDir, inMemory }: Greeted): string =>
  `ready ${service.url}

  dashboard       ${logIns.url}
  log in          ${logIns.password}
                  or "Continue with Google" as ${logIns.google}: both open the demo account
  operators       ${logIns.operators}
  documentation   ${service.url}/docs
  demo account    starts with 1,000 credits, plan business, all scopes (${demoFile(dataDir)})
  webhook token   ${webhookToken}
  webhooks        npm run webhooks (receives them on this machine, verifies and shows them)
  PIX sandbox     ${service.payments.url} (paste the code of an order to pay it)
  subscriptions   ${service.subscriptions.url} (open the checkout of an order to subscribe)
  social sandbox  ${service.social.url} (write as a customer of a connected page)
  data            ${inMemory ? 'in memory, lost when the service stops' : `${dataDir}/`}

Copy these two lines, then convert a sentence to speech:

  API=${service.url}/api/v1
  export ${tokenVariable}=${token}

  curl -s $API/generate/voice \\
    -H "Authorization: Bearer $${tokenVariable}" \\
    -H 'Content-Type: application/json' \\
    -d '{"text":"Olá! O seu vídeo está pronto.","voice":"sarah"}'

(or generate an image: $API/generate/image with -d '{"prompt":"Um farol ao amanhecer"}')
and check the task:

  curl -s "$API/tasks?limit=1" -H "Authorization: Bearer $${tokenVariable}"
`;

async function main(): Promise<void> {
  const help = helpAsked(process.argv.slice(2));
  if (help !== undefined) {
    process.stdout.write(help);
    return;
  }
  // Files of this process and of the database's process are readable only by the current user.
  process.umask(0o077);
  const { timed, ...options } = serviceOptions(process.argv.slice(2), process.env);
  const service = await startService({
    ...options,
    hasIdentity: true,
    engine: { ...options.engine, onFailure: console.error },
    onDatabaseExit: exitWith,
  });
  stopOnSignals(service);
  const { dataDir, inMemory } = options;
  const { accountId, token, webhookToken } = await demoAccount(service.context, dataDir).catch(
    async (error: unknown) => {
      await service.close();
      throw error;
    },
  );
  const logIns = await demoLogIns(service, accountId);
  await connectDemoPages(service, accountId);
  const timing = timed ? `\n${timingText(startTiming(loadedMs))}` : '';
  process.stdout.write(greeting({ service, logIns, token, webhookToken, dataDir, inMemory }) + timing);
  await workAhead(service);
}

main().catch((error: Error) => exitWith(error.message));
