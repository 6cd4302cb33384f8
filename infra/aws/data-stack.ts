/** What must not be lost: the table, results, keys and queued webhooks. It refers to none of its users. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { InputsBucket } from './inputs-bucket.ts';
import { ResultsBucket } from './results-bucket.ts';
import { CallbackKey } from './secrets.ts';
import type { Stage } from './stages.ts';
import { ServiceTable } from './table.ts';
import { VideoConversion } from './video-conversion.ts';
import { WebhookKeys } from './webhook-keys.ts';
import { WebhookQueue } from './webhook-queue.ts';

export class DataStack extends Stack {
  readonly table: ServiceTable;
  readonly results: ResultsBucket;
  readonly inputs: InputsBucket;
  /** On stages with the engine `aws`. */
  readonly conversion: VideoConversion | undefined;
  readonly webhookQueue: WebhookQueue;
  readonly webhookKeys: WebhookKeys;
  readonly callbackKey: CallbackKey;

  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { readonly stage: Stage }) {
    super(scope, id, props);
    this.table = new ServiceTable(this, 'Table', stage);
    this.results = new ResultsBucket(this, 'Results', stage);
    this.inputs = new InputsBucket(this, 'Inputs', stage);
    this.conversion =
      stage.engines.aws && new VideoConversion(this, 'Conversion', { inputs: this.inputs, ...stage.engines.aws });
    this.webhookQueue = new WebhookQueue(this, 'Webhooks');
    this.webhookKeys = new WebhookKeys(this, 'WebhookKeys', stage);
    this.callbackKey = new CallbackKey(this, 'CallbackKey', stage);
  }
}
