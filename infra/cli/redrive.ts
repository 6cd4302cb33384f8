/** The command that moves the dead letters of a queue back to it. */
import { type Command, command } from './command.ts';
import { moveMessages } from './move-messages.ts';
import { requireDeployment } from './service.ts';

const redriven = {
  'webhook queue': { output: 'WebhookDeadLettersUrl', setting: 'webhookQueueUrl' },
  'queue of the inbox': { output: 'InboxDeadLettersUrl', setting: 'inboxQueueUrl' },
  'queue of payment events': { output: 'PaymentDeadLettersUrl', setting: 'paymentQueueUrl' },
} as const;

export const redriveTo = (queue: keyof typeof redriven): Command =>
  command({
    name: 'redrive',
    summary: `Move all messages of the dead-letter queue back to the ${queue}, after the bug has been fixed.`,
    async run(_values, service) {
      const { output, setting } = redriven[queue];
      const deadLettersUrl = requireDeployment(service).outputs[output] ?? '';
      return { moved: await moveMessages(deadLettersUrl, service.settings[setting]) };
    },
    print: ({ moved }) =>
      moved === 0
        ? 'There are no dead letters.'
        : `${moved === 1 ? '1 message was' : `${moved} messages were`} moved back to the ${queue}.`,
  });
