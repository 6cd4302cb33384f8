/** `npm run demo`: demonstrates the main flow with speech, and more operations with `--images`, `--videos` or `--all`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../../client/client.ts';
import type { WebhookRequest } from '../../client/verify-webhook.ts';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { demoAccount } from '../local/demo-account.ts';
import { startService } from '../local/host.ts';
import { runDemo } from './demo.ts';
import { type DemoOptions, demoOptions } from './demo-options.ts';
import { demoRequests } from './demo-requests.ts';
import { startSampleServer } from './images/sample-server.ts';
import { madeInputs } from './made-inputs.ts';
import { pageName } from './save-results.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** Standard output is reserved for the demo. */
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';

/** Thrown when the user stops the demo. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const interruptedExitCode = 130;
const closingMs = 10_000;
const timeLimitMs = 20 * 60_000;

// Ignores the error when the output's reader closes it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** Handles only the first signal: npm forwards the Ctrl-C that the terminal also sends to this process. */
function stopOnSignals(stop: AbortController): void {
  const interrupt = () => {
    if (stop.signal.aborted) return;
    stop.abort(new Interrupted('The demo was stopped.'));
    setTimeout(() => process.exit(interruptedExitCode), closingMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
}

/** Removes the results of an earlier demo, so that they cannot be mistaken for this one's. */
function prepare(outDir: string, fileNames: readonly string[]): void {
  try {
    mkdirSync(outDir, { recursive: true });
    for (const fileName of fileNames) rmSync(join(outDir, fileName), { force: true });
  } catch (cause) {
    throw new Error(`The results cannot be saved in ${outDir} (${(cause as NodeJS.ErrnoException).code}).`, { cause });
  }
}

async function main({ show, outDir, engine }: DemoOptions, stop: AbortController): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const samples = await startSampleServer(await madeInputs(show));
  closing.defer(() => samples.close());
  const { title, requests } = demoRequests(show, samples);
  prepare(outDir, [...requests.flatMap(({ fileNames }) => fileNames), pageName]);
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-demo-'));
  // Removes the folder when the process exits, after the parts of the service that write to it have stopped.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const onDatabaseExit = (reason: string) => stop.abort(new Error(reason));
  const how = { port: 0, inMemory: true, urlPolicy: 'local', engineCompletion: 'callback' } as const;
  const service = await startService({ ...how, engine, dataDir, onDatabaseExit });
  closing.defer(() => service.close());
  const { token, webhookToken } = await demoAccount(service.context, dataDir);
  const keysUrl = service.url + documentRoutes.listWebhookKeys.path;
  const publicKeys = async () => (await (await fetch(keysUrl)).json()) as WebhookRequest['keys'];
  const receiver = await startWebhookReceiver({ webhookToken, publicKeys });
  closing.defer(() => receiver.close());
  const write = (text: string) => void process.stdout.write(text);
  write(`${title}\nservice   ${service.url}\nwebhooks  ${receiver.url}\nsamples   ${samples.url}\n`);
  const { signal } = stop;
  const api = client({ baseUrl: service.url, token, fetch: (input, init) => fetch(input, { ...init, signal }) });
  return await runDemo({ api, receiver, title, requests, outDir, write, signal });
}

const stop = new AbortController();
stopOnSignals(stop);
setTimeout(
  () => stop.abort(new Error(`The demo took more than ${timeLimitMs / 60_000} minutes.`)),
  timeLimitMs,
).unref();
try {
  process.exitCode = (await main(demoOptions(process.argv.slice(2), process.env), stop)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof Interrupted ? interruptedExitCode : 1;
}
