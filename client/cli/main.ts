#!/usr/bin/env node
/** `generation-service webhooks`: receives webhooks on this machine, verifies them and shows them. */
import { createInterface } from 'node:readline';
import { commandOf } from './listener-commands.ts';
import { listenerOptions, OptionsError, usage } from './listener-options.ts';
import { startWebhookListener } from './webhook-listener.ts';

const write = (line: string) => void process.stdout.write(`${line}\n`);

const args = process.argv.slice(2);

try {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    write(usage);
    process.exit();
  }
  const listener = await startWebhookListener(listenerOptions(args, process.env), write);
  const input = createInterface({ input: process.stdin });
  const stop = () => {
    input.close();
    void listener.close();
  };
  input.on('line', (line) => void commandOf(line, listener, { write, stop }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
} catch (error) {
  if (error instanceof OptionsError) process.stderr.write(`${error.message}\n\n${usage}`);
  else process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof OptionsError ? 2 : 1;
}
