/** `npm run demo`: demonstrates the main flow with speech, and more operations with `--images`, `--videos` or `--all`. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WebhookRequest } from '../../client/verify-webhook.ts';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { apiOf } from './api-of.ts';
import { checks } from './checks.ts';
import type { Demo } from './demo.ts';
import { type DemoOptions, demoOptions } from './demo-options.ts';
import { type DemoService, startDemoService } from './demo-service.ts';
import { runDemo } from './run-demo.ts';
import { screen } from './screen.ts';
import type { Show } from './show.ts';
import { startShow } from './shows.ts';
import { pageName } from './steps/write-page.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** Standard output is reserved for the demo. */
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';

/** Thrown when the user stops the demo. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const interruptedExitCode = 130;
const closingMs = 10_000;

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

async function fetchPublicKeys(serviceUrl: string): Promise<WebhookRequest['keys']> {
  const response = await fetch(serviceUrl + documentRoutes.listWebhookKeys.path);
  return (await response.json()) as WebhookRequest['keys'];
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

function introduce({ title, addresses }: Show, service: DemoService, receiver: WebhookReceiver): void {
  const named = Object.entries({ service: service.url, webhooks: receiver.url, ...addresses });
  const lines = named.map(([name, url]) => `${name.padEnd('webhooks'.length)}  ${url}\n`);
  process.stdout.write(`${title}\n${lines.join('')}`);
}

async function perform(show: Show, { outDir, engine }: DemoOptions, stop: AbortController): Promise<boolean> {
  prepare(outDir, [...show.fileNames, pageName]);
  const service = await startDemoService({
    engine,
    onDatabaseExit: (reason) => stop.abort(new Error(reason)),
  });
  try {
    const { url, token, webhookToken } = service;
    const receiver = await startWebhookReceiver({ webhookToken, publicKeys: () => fetchPublicKeys(url) });
    try {
      introduce(show, service, receiver);
      const shown = { checks: checks(), screen: screen(process.stdout), outDir };
      const demo: Demo = { api: apiOf(url, token), receiver, ...shown };
      return await runDemo(demo, show, stop.signal);
    } finally {
      await receiver.close();
    }
  } finally {
    await service.close();
  }
}

async function main(stop: AbortController): Promise<boolean> {
  const options = demoOptions(process.argv.slice(2), process.env);
  const show = await startShow(options.show);
  try {
    return await perform(show, options, stop);
  } finally {
    await show.close();
  }
}

const stop = new AbortController();
stopOnSignals(stop);
try {
  process.exitCode = (await main(stop)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof Interrupted ? interruptedExitCode : 1;
}
