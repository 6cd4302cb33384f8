/** A queue that feeds a function, and its dead-letter queue for messages that failed repeatedly. */
import { Duration, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLettersKeptSeconds, type HostedQueue } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';
import type { Permission } from './permission.ts';

type Use = NonNullable<FunctionGrants['webhookQueue'] | FunctionGrants['inboxQueue']>[number];

const actions: Readonly<Record<Use, string[]>> = {
  look: ['sqs:GetQueueAttributes'],
  send: ['sqs:SendMessage'],
  receive: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
};

type OperatorsUse = NonNullable<FunctionGrants['queues']>[number];

const operatorsActions: Readonly<Record<OperatorsUse, { queue: string[]; deadLetters: string[] }>> = {
  count: { queue: ['sqs:GetQueueAttributes'], deadLetters: ['sqs:GetQueueAttributes'] },
  look: { queue: [], deadLetters: ['sqs:ReceiveMessage'] },
  redrive: {
    queue: ['sqs:SendMessage'],
    deadLetters: ['sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'],
  },
};

const guarded = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

export interface MessageQueueProps {
  readonly hosted: HostedQueue;
  /** The setting that contains the queue's URL. */
  readonly setting: 'webhookQueueUrl' | 'paymentQueueUrl' | 'inboxQueueUrl';
  /** The setting that contains the URL of its dead letters. */
  readonly deadLettersSetting: 'webhookDeadLettersUrl' | 'paymentDeadLettersUrl' | 'inboxDeadLettersUrl';
}

export class MessageQueue extends Construct {
  readonly #props: MessageQueueProps;
  readonly #queue: Queue;
  readonly #deadLetters: Queue;

  constructor(scope: Construct, id: string, props: MessageQueueProps) {
    super(scope, id);
    this.#props = props;
    const { delaySeconds, visibilityTimeoutSeconds, maxReceiveCount } = props.hosted;
    this.#deadLetters = new Queue(this, 'DeadLetters', {
      ...guarded,
      retentionPeriod: Duration.seconds(deadLettersKeptSeconds),
    });
    this.#queue = new Queue(this, 'Queue', {
      ...guarded,
      ...(delaySeconds > 0 && { deliveryDelay: Duration.seconds(delaySeconds) }),
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
      deadLetterQueue: { queue: this.#deadLetters, maxReceiveCount },
    });
    Validations.of(this.#deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue itself: its messages wait for an operator.',
    });
  }

  get url(): string {
    return this.#queue.queueUrl;
  }

  get deadLettersUrl(): string {
    return this.#deadLetters.queueUrl;
  }

  /** The number of dead letters. */
  get deadLetters(): Metric {
    return this.#deadLetters.metricApproximateNumberOfMessagesVisible();
  }

  /** The age of the oldest message, in seconds. */
  get oldestMessageAge(): Metric {
    return this.#queue.metricApproximateAgeOfOldestMessage();
  }

  allow(use: Use): Permission {
    const statement = new PolicyStatement({ actions: actions[use], resources: [this.#queue.queueArn] });
    // A consumer is invoked with messages and does not need the queue's URL.
    return { statements: [statement], ...(use !== 'receive' && { settings: { [this.#props.setting]: this.url } }) };
  }

  /** Allows a function of the operators' pages what they do with the queue and its dead letters. */
  allowOperators(use: OperatorsUse): Permission {
    const { queue, deadLetters } = operatorsActions[use];
    const statements = [
      new PolicyStatement({ actions: deadLetters, resources: [this.#deadLetters.queueArn] }),
      ...(queue.length > 0 ? [new PolicyStatement({ actions: queue, resources: [this.#queue.queueArn] })] : []),
    ];
    const { deadLettersSetting, setting } = this.#props;
    const settings = { [deadLettersSetting]: this.deadLettersUrl, ...(queue.length > 0 && { [setting]: this.url }) };
    return { statements, settings };
  }

  /** Feeds one message per invocation, so that a failure affects no other message. */
  feed(consumer: IFunction): void {
    const source = consumer.addEventSourceMapping(this.node.id, {
      eventSourceArn: this.#queue.queueArn,
      batchSize: 1,
      maxConcurrency: this.#props.hosted.concurrency,
      reportBatchItemFailures: true,
    });
    Validations.of(source).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'Destinations are for streams: a failed message returns to its queue, and finally becomes a dead letter.',
    });
  }
}
