/** The commands for webhooks. */

import { Rejection } from '../../shared/domain/rejection.ts';
import { redeliverWebhook } from '../../shared/domain/task-lifecycle/redeliver-webhook.ts';
import { rotateWebhookKey } from '../local/rotate-webhook-key.ts';
import { type Command, command, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findTask } from './find-task.ts';
import { redriveTo } from './redrive.ts';
import { taskId } from './task-commands.ts';

const redeliver = command({
  name: 'redeliver',
  summary: 'Send the webhook of an ended task again, in a new series of up to three attempts.',
  options: { task: required(taskId, 'The task.') },
  async run({ task: id }, service) {
    const firstAttempt = await redeliverWebhook(service, await findTask(service, id)).catch((error: unknown) => {
      throw error instanceof Rejection ? commandFailed(error.message) : error;
    });
    return { taskId: id, webhookStatus: 'pending', firstAttempt };
  },
  print: ({ taskId, firstAttempt }) =>
    `The webhook of task ${taskId} was enqueued, beginning with attempt ${firstAttempt}: "task show" shows the result.`,
});

const rotateKey = command({
  name: 'rotate-key',
  summary: 'Add a webhook signing key; earlier keys continue to sign until their files are deleted.',
  async run(_values, { deployment, settings }) {
    if (deployment) {
      throw commandFailed(
        `The keys of a deployed stage are in KMS: add a new label at the front of ${deployment.stage}.webhookSigningKeys in cdk.json, and deploy.`,
      );
    }
    const { kid, file, published, earlierFiles } = await rotateWebhookKey(settings.webhookSigningKeys);
    return { kid, file, published: published.map((key) => key.kid), earlierFiles };
  },
  print: ({ kid, file, published, earlierFiles }) =>
    [
      `Webhooks are now also signed with the key ${kid} in ${file}; ${published.length} keys are published.`,
      'Receivers may cache the published keys for five minutes. After that, delete the keys that should no longer be used:',
      ...earlierFiles.map((earlier) => `  ${earlier}`),
    ].join('\n'),
});

export const webhookCommands: readonly Command[] = [redeliver, redriveTo('webhook queue'), rotateKey];
