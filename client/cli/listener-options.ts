/** The options of the webhook listener, from flags and the environment. */
import { parseArgs } from 'node:util';

export interface ListenerOptions {
  readonly port: number;
  /** The service whose keys verify the signatures. */
  readonly baseUrl: string;
  /** The webhook token; without it, only the signature is verified. */
  readonly webhookToken: string | undefined;
  /** The program that each webhook is passed on to; its status is then the response. */
  readonly forwardTo: string | undefined;
  readonly status: number;
  readonly delaySeconds: number;
}

export const usage = `Usage: generation-service webhooks [options]

  --port <number>      port to listen on (4000)
  --base-url <url>     service that signs the webhooks, or API_URL (http://127.0.0.1:3000)
  --forward <url>      pass each webhook on to this URL, and respond with its status
  --status <number>    status to respond with (204)
  --delay <seconds>    wait before responding (0)

The webhook token is read from WEBHOOK_TOKEN only, because other users of the machine can see flags.

While it runs, type: r [n]   send webhook n (or the last one) to the --forward URL again
                     s <status>, d <seconds>   change the response
                     q   quit
`;

/** One line that says which commands can be typed while the listener runs. */
export const commandsText =
  'Type “s <status>” or “d <seconds>” to change the response, “r [n]” to send webhook n to the --forward URL again, or “q” to quit.';

/** Thrown for invalid options. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const wholeNumber = (name: string, value: string, [least, most]: readonly [number, number]): number => {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new OptionsError(`${name} must be a whole number from ${least} to ${most}.`);
};

/** Informational statuses (1xx) cannot end a response. @throws {OptionsError} */
export const statusFrom = (name: string, value: string): number => wholeNumber(name, value, [200, 599]);

/** The service waits for 10 seconds, so a longer delay is a time-out. @throws {OptionsError} */
export const delayFrom = (name: string, value: string): number => wholeNumber(name, value, [0, 60]);

function httpUrl(name: string, value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new OptionsError(`${name} must be an http or https URL.`);
}

function flagsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { port: text, 'base-url': text, forward: text, status: text, delay: text };
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (positionals.length === 1 && positionals[0] === 'webhooks') return values;
  } catch (error) {
    throw new OptionsError((error as Error).message);
  }
  throw new OptionsError('The command must be “webhooks”.');
}

/** @throws {OptionsError} */
export function listenerOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ListenerOptions {
  const { port = '4000', forward, status = '204', delay = '0', ...flags } = flagsOf(args);
  return {
    port: wholeNumber('--port', port, [0, 65_535]),
    baseUrl: httpUrl('--base-url (or API_URL)', flags['base-url'] ?? environment.API_URL ?? 'http://127.0.0.1:3000'),
    webhookToken: environment.WEBHOOK_TOKEN || undefined,
    forwardTo: forward === undefined ? undefined : httpUrl('--forward', forward),
    status: statusFrom('--status', status),
    delaySeconds: delayFrom('--delay', delay),
  };
}
