/** A service that delivers webhooks, and queries about the webhook of a task. */
import { verifyWebhook, type WebhookRequest } from '../../client/verify-webhook.ts';
import { eventually } from '../support/eventually.ts';
import { testService } from '../support/test-service.ts';
import type { Delivery } from '../support/webhook-receiver.ts';

export const webhookScene = async () => {
  const host = await testService();
  return {
    host,
    completeTasks: () => host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) }),
    /** The webhook as the task shows it, once it is delivered or abandoned. */
    settled: (token: string, taskId: string) =>
      eventually('the webhook', async () => {
        const stored = await host.service.context.tasks.find(taskId);
        return stored?.webhookStatus === 'pending' ? undefined : (await host.task(token, taskId)).webhook;
      }),
    /** A receiver's verdicts on deliveries, based on the published keys. */
    async verdicts(deliveries: readonly Delivery[]) {
      const served = await fetch(`${host.url}/.well-known/webhook-keys.json`);
      const keys = (await served.json()) as WebhookRequest['keys'];
      const verdicts = deliveries.map(({ body, headers }) =>
        verifyWebhook({ body, headers, keys, now: host.clock.now() }),
      );
      return Promise.all(verdicts);
    },
    close: () => host.close(),
  };
};
