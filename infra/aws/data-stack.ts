/**
 * Data that must not be lost: the table, results, keys and queued messages. It does not refer to the stacks that use
 * it.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type QueueName, queues } from '../hosting.ts';
import { ContentKey } from './content-key.ts';
import { CredentialsKey } from './credentials-key.ts';
import { InputsBucket } from './inputs-bucket.ts';
import { MessageQueue } from './message-queue.ts';
import { ResultsBucket } from './results-bucket.ts';
import { CallbackKey } from './secrets.ts';
import type { Stage } from './stages.ts';
import { ServiceTable } from './table.ts';
import { VideoConversion } from './video-conversion.ts';
import { WebhookKeys } from './webhook-keys.ts';

export class DataStack extends Stack {
  readonly table: ServiceTable;
  readonly results: ResultsBucket;
  readonly inputs: InputsBucket;
  /** The resources for converting videos; present on stages with the engine `aws`. */
  readonly conversion: VideoConversion | undefined;
  readonly queues: Readonly<Record<QueueName, MessageQueue>>;
  readonly webhookKeys: WebhookKeys;
  readonly credentialsKey: CredentialsKey;
  readonly callbackKey: CallbackKey;
  readonly contentKey: ContentKey;

  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { readonly stage: Stage }) {
    super(scope, id, props);
    this.table = new ServiceTable(this, 'Table', stage);
    this.results = new ResultsBucket(this, 'Results', stage);
    this.inputs = new InputsBucket(this, 'Inputs', stage);
    this.conversion =
      stage.engines.aws && new VideoConversion(this, 'Conversion', { inputs: this.inputs, ...stage.engines.aws });
    this.queues = {
      webhooks: new MessageQueue(this, 'Webhooks', {
        hosted: queues.webhooks,
        setting: 'webhookQueueUrl',
        deadLettersSetting: 'webhookDeadLettersUrl',
      }),
      paymentEvents: new MessageQueue(this, 'PaymentEvents', {
        hosted: queues.paymentEvents,
        setting: 'paymentQueueUrl',
        deadLettersSetting: 'paymentDeadLettersUrl',
      }),
      inbox: new MessageQueue(this, 'Inbox', {
        hosted: queues.inbox,
        setting: 'inboxQueueUrl',
        deadLettersSetting: 'inboxDeadLettersUrl',
      }),
    };
    this.webhookKeys = new WebhookKeys(this, 'WebhookKeys', stage);
    this.credentialsKey = new CredentialsKey(this, 'CredentialsKey', stage);
    this.callbackKey = new CallbackKey(this, 'CallbackKey', stage);
    this.contentKey = new ContentKey(this, 'ContentKey', stage);
  }
}
