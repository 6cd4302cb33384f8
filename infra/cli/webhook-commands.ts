/** The commands for webhooks. */

import { acts } from '../../shared/domain/operators/acts.ts';
import { rotateWebhookKey } from '../local/rotate-webhook-key.ts';
import { actCommand } from './act-command.ts';
import { type Command, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { taskId } from './task-commands.ts';

const redeliver = actCommand(acts.redeliverWebhook, {
  name: 'redeliver',
  summary: 'Send the webhook of an ended task again, in a new series of up to three attempts.',
  options: { task: required(taskId, 'The task.') },
  async run({ task }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { task });
  },
  print: ({ taskId, firstAttempt }) =>
    `The webhook of task ${taskId} was enqueued, beginning with attempt ${firstAttempt}: "task show" shows the result.`,
});

const rotateKey = actCommand(acts.rotateWebhookKey, {
  name: 'rotate-key',
  summary: 'Add a webhook signing key; earlier keys continue to sign until their files are deleted.',
  async run(_values, { connect, perform }) {
    const service = await connect();
    const { deployment, settings } = service;
    if (deployment) {
      throw commandFailed(
        `The keys of a deployed stage are in KMS: add a new label at the front of ${deployment.stage}.webhookSigningKeys in cdk.json, and deploy.`,
      );
    }
    const work = () => rotateWebhookKey(settings.webhookSigningKeys);
    const { kid, file, published, earlierFiles } = await perform(service, { ...service, work }, {});
    return { kid, file, published: published.map((key) => key.kid), earlierFiles };
  },
  print: ({ kid, file, published, earlierFiles }) =>
    [
      `Webhooks are now also signed with the key ${kid} in ${file}; ${published.length} keys are published.`,
      'Receivers may cache the published keys for five minutes. After that, delete the keys that should no longer be used:',
      ...earlierFiles.map((earlier) => `  ${earlier}`),
    ].join('\n'),
});

export const webhookCommands: readonly Command[] = [redeliver, rotateKey];
