/** The command that moves the dead letters of a queue back to it. */
import { acts } from '../../shared/domain/operators/acts.ts';
import type { deadLetterQueues } from '../../shared/domain/operators/stage-acts.ts';
import { actCommand } from './act-command.ts';
import type { Command } from './command.ts';
import { moveMessages } from './move-messages.ts';
import { requireDeployment } from './service.ts';

type Queue = (typeof deadLetterQueues)[number];

const redriven = {
  'webhook queue': { output: 'WebhookDeadLettersUrl', setting: 'webhookQueueUrl' },
  'queue of the inbox': { output: 'InboxDeadLettersUrl', setting: 'inboxQueueUrl' },
  'queue of payment events': { output: 'PaymentDeadLettersUrl', setting: 'paymentQueueUrl' },
} as const satisfies Readonly<Record<Queue, unknown>>;

export const redriveTo = (queue: Queue): Command =>
  actCommand(acts.redriveDeadLetters, {
    name: 'redrive',
    summary: `Move all messages of the dead-letter queue back to the ${queue}, after the bug has been fixed.`,
    async run(_values, { connect, perform }) {
      const service = await connect();
      const { output, setting } = redriven[queue];
      const deadLettersUrl = requireDeployment(service).outputs[output] ?? '';
      const work = async () => ({ moved: await moveMessages(deadLettersUrl, service.settings[setting]) });
      return perform(service, { ...service, work }, { queue });
    },
    print: ({ moved }) =>
      moved === 0
        ? 'There are no dead letters.'
        : `${moved === 1 ? '1 message was' : `${moved} messages were`} moved back to the ${queue}.`,
  });
