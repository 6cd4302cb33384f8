/** The commands that can be typed while the webhook listener runs. */
import { commandsText, delayFrom, OptionsError, statusFrom } from './listener-options.ts';
import type { WebhookListener } from './webhook-listener.ts';

interface Terminal {
  readonly write: (line: string) => void;
  readonly stop: () => void;
}

/** Executes a typed line; a mistake is reported, and the listener continues. */
export async function commandOf(line: string, listener: WebhookListener, { write, stop }: Terminal): Promise<void> {
  const [command, value] = line.trim().split(/\s+/);
  try {
    switch (command) {
      case '':
        return;
      case 'r':
        return await listener.replay(value === undefined ? undefined : Number(value));
      case 's':
        listener.respondWith({ status: statusFrom('The status after s', value ?? '') });
        return write(`From now on, the response is ${value}.`);
      case 'd':
        listener.respondWith({ delaySeconds: delayFrom('The delay after d', value ?? '') });
        return write(`From now on, the response waits for ${value} s.`);
      case 'q':
        return stop();
      default:
        return write(commandsText);
    }
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    write(error.message);
  }
}
