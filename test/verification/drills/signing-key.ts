/** A drill: the key that signs webhooks is lost, and replaced at once by another key. */
import { verifyWebhook, type WebhookKey } from '../../../client/verify-webhook.ts';
import { eventually } from '../../support/eventually.ts';
import { type Delivery, webhookReceiver } from '../../support/webhook-receiver.ts';
import type { Drill } from './drill.ts';

async function verifies(keys: { readonly keys: readonly WebhookKey[] }, { headers, body }: Delivery): Promise<boolean> {
  return (await verifyWebhook({ keys, headers, body })).ok;
}

export const signingKey: Drill = {
  summary: 'A webhook signing key is lost: replace it at once, and send again what receivers missed.',
  page: 'docs/drills.md',
  heading: 'A webhook signing key is lost',
  async run({ check, customer, deploy, outputs, run }) {
    const receiver = await webhookReceiver();
    try {
      const ana = await customer(10);
      const { ApiUrl } = await outputs();
      const published = async () =>
        (await (await fetch(`${ApiUrl}/.well-known/webhook-keys.json`)).json()) as {
          readonly keys: readonly WebhookKey[];
        };
      const webhook = (taskId: string, number: number) =>
        eventually(`webhook ${number} of the task`, () => receiver.of(taskId)[number - 1]);
      const taskId = await ana.speak({ callbackUrl: receiver.url });
      const before = await webhook(taskId, 1);
      const lost = await published();
      check('a webhook verifies with the published key', await verifies(lost, before));

      await run('npx cdk deploy --all', {
        settings: { webhookSigningKeys: ['drill'], retiredWebhookSigningKeys: ['first'] },
      });
      const keys = await eventually('the publication of the new key', async () => {
        const now = await published();
        return now.keys.some(({ x }) => x === lost.keys[0]?.x) ? undefined : now;
      });
      check('the new key alone is published', keys.keys.length === 1);
      check('what the lost key has signed no longer verifies', !(await verifies(keys, before)));
      await run('npm run admin -- webhook redeliver', { values: { '<taskId>': taskId } });
      const again = await webhook(taskId, 2);
      check('a webhook that is sent again verifies with the new key', await verifies(keys, again));
      check('that webhook does not verify with the lost key', !(await verifies(lost, again)));
      const next = await webhook(await ana.speak({ callbackUrl: receiver.url }), 1);
      check('the webhook of a new task verifies with the new key', await verifies(keys, next));
    } finally {
      await deploy();
      await receiver.close();
    }
  },
};
