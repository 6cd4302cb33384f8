/** The webhook queue of a run: messages wait until a command delivers them, once or more. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { ScriptedResponse } from './scripted-workflow.ts';

export interface QueuedMessage {
  readonly body: string;
  /** The time in milliseconds before which the message is not delivered. */
  readonly dueAt: number;
}

export interface ScriptedQueue {
  /** The messages, in order of their delivery times. */
  readonly messages: readonly QueuedMessage[];
  put(body: string, delaySeconds: number): void;
  remove(message: QueuedMessage): void;
  respond(body: { MessageBody?: string; DelaySeconds?: number }): ScriptedResponse;
}

export function scriptedQueue(clock: Clock): ScriptedQueue {
  const messages: QueuedMessage[] = [];
  const put = (body: string, delaySeconds: number) => {
    messages.push({ body, dueAt: clock.now() + delaySeconds * 1000 });
  };
  return {
    get messages() {
      return messages.toSorted((one, other) => one.dueAt - other.dueAt);
    },
    put,
    remove(message) {
      messages.splice(messages.indexOf(message), 1);
    },
    respond({ MessageBody = '', DelaySeconds = 0 }) {
      put(MessageBody, DelaySeconds);
      const MD5OfMessageBody = createHash('md5').update(MessageBody).digest('hex');
      return { status: 200, body: { MessageId: String(messages.length), MD5OfMessageBody } };
    },
  };
}
