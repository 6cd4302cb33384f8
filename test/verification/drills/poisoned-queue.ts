/**
 * A drill: messages fail again and again until they become dead letters. One is dropped, and one is processed after its
 * row was repaired.
 */
import { eventually } from '../../support/eventually.ts';
import { respondWith, webhookReceiver } from '../../support/webhook-receiver.ts';
import type { Drill } from './drill.ts';

interface Received {
  readonly Messages?: readonly { readonly Body: string; readonly ReceiptHandle: string }[];
}
interface Attributes {
  readonly Attributes?: Readonly<Record<string, string>>;
}

const poison = '{"taskId":"no-task"}';

const keyOf = (taskId: string): string => JSON.stringify({ pk: { S: `TASK#${taskId}` }, sk: { S: 'TASK' } });

export const poisonedQueue: Drill = {
  summary: 'A message poisons a queue: find it among the dead letters, drop it or mend the cause, and redrive.',
  page: 'docs/drills.md',
  heading: 'A message poisons a queue',
  async run({ aws, check, customer, operate, outputs, run }) {
    const { WebhookQueueUrl, WebhookDeadLettersUrl, TableName } = await outputs();
    const attributes = `aws sqs set-queue-attributes --queue-url ${WebhookQueueUrl} --attributes VisibilityTimeout=`;
    const attributeOf = async (url = '', name: string) => {
      const { Attributes: found } = await aws<Attributes>(
        `aws sqs get-queue-attributes --queue-url ${url} --attribute-names '["${name}"]'`,
      );
      return found?.[name] ?? '';
    };
    const deadLetters = (number: number) =>
      eventually(
        `${number} dead letters`,
        async () =>
          Number(await attributeOf(WebhookDeadLettersUrl, 'ApproximateNumberOfMessages')) >= number || undefined,
        { everyMs: 1000 },
      );
    const visibility = await attributeOf(WebhookQueueUrl, 'VisibilityTimeout');
    const receiver = await webhookReceiver();
    try {
      await aws(`${attributes}1`);
      const [ana, bia] = [await customer(10), await customer(10)];
      receiver.respond((response, attempt) => respondWith(response, attempt === 1 ? 500 : 204));
      const taskId = await ana.speak({ callbackUrl: receiver.url });
      await eventually('the first attempt', () => receiver.of(taskId)[0]);
      await aws(
        `aws dynamodb update-item --table-name ${TableName} --key '${keyOf(taskId)}' --update-expression 'SET progress = :wrong' --expression-attribute-values '{":wrong":{"S":"much"}}'`,
      );
      await aws(`aws sqs send-message --queue-url ${WebhookQueueUrl} --message-body '${poison}'`);
      await deadLetters(2);
      const other = await bia.speak({ callbackUrl: receiver.url });
      await eventually('another webhook', () => receiver.of(other)[1]);
      check('other webhooks are delivered while the messages fail', true);

      const { lines } = await run<{ lines: readonly { message: string }[] }>('npm run admin -- request show');
      check(
        'the log says why the message failed',
        lines.some(({ message }) => message.includes('message failed')),
      );
      const { Messages = [] } = await run<Received>('aws sqs receive-message');
      const dropped = Messages.filter(({ Body }) => Body === poison);
      check('both dead letters are read', dropped.length === 1 && Messages.some(({ Body }) => Body.includes(taskId)));
      await run('aws sqs delete-message', { values: { '<receiptHandle>': dropped[0]?.ReceiptHandle ?? '' } });
      await run('aws dynamodb update-item', { values: { '<taskId>': taskId } });
      await deadLetters(1);
      const { moved } = await run<{ moved: number }>('npm run admin -- queue redrive');
      check('the message is moved back', moved >= 1);
      await eventually('the second attempt', () => receiver.of(taskId)[1]);
      await eventually('the end of the delivery', async () => {
        const task = await operate<object>(`task show --task ${taskId}`);
        return JSON.stringify(task).includes('"delivered"') || undefined;
      });
      check('the webhook is delivered, and no attempt is repeated', receiver.of(taskId).length === 2);
    } finally {
      await aws(`${attributes}${visibility}`);
      await receiver.close();
    }
  },
};
