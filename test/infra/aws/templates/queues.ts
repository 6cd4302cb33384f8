/** The queues, their dead letters, and how the functions that process messages are fed. */
import { expect, test } from 'vitest';
import { synthesize } from '../synthesized.ts';

const app = synthesize('prod');

test.for([
  ['Webhooks', 'up to five times, for two minutes each', 120, 5],
  ['Inbox', 'up to five times, for five minutes each', 300, 5],
  ['PaymentEvents', 'up to twelve times, for five minutes each', 300, 12],
] as const)('the queue of %s delivers each message %s', ([name, _tries, VisibilityTimeout, maxReceiveCount]) => {
  const all = Object.entries(app.data('prod').ofType('AWS::SQS::Queue')).filter(([id]) => id.startsWith(name));
  const queues = all.map(([, { Properties }]) => Properties);
  const [queue] = queues.filter((properties) => 'RedrivePolicy' in properties);
  const [deadLetters] = queues.filter((properties) => !('RedrivePolicy' in properties));
  expect(queue).toMatchObject({ VisibilityTimeout, RedrivePolicy: { maxReceiveCount } });
  expect(deadLetters).toMatchObject({ MessageRetentionPeriod: 1_209_600 });
  // A FIFO queue would let one slow receiver delay all others.
  for (const properties of queues) expect(properties).not.toHaveProperty('FifoQueue');
});

test('each invocation handles one message; at most fifty webhooks, five payment events and ten inbox messages run at once', () => {
  const sources = Object.values(
    app.service('prod').ofType<{ ScalingConfig: unknown }>('AWS::Lambda::EventSourceMapping'),
  );
  for (const { Properties } of sources)
    expect(Properties).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] });
  const limits = sources.map(({ Properties }) => Properties.ScalingConfig);
  expect(limits).toHaveLength(3);
  expect(limits).toEqual(
    expect.arrayContaining([{ MaximumConcurrency: 50 }, { MaximumConcurrency: 5 }, { MaximumConcurrency: 10 }]),
  );
});
