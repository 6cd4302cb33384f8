/** The log lines that CloudWatch turns into metrics. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MetricDimension, type MetricName, metricUnits } from '../../shared/domain/metrics.ts';
import { embeddedMetrics } from '../../shared/platform/metrics.ts';
import { settingsOf } from '../../shared/platform/settings.ts';

const settings = settingsOf({ METRICS_NAMESPACE: 'GenerationService/test' });
const { POWERTOOLS_METRICS_DISABLED: before } = process.env;

let lines: string[];
const write = process.stdout.write.bind(process.stdout);

beforeEach(() => {
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
  lines = [];
  process.stdout.write = (line) => lines.push(String(line)) > 0;
});
afterEach(() => {
  process.stdout.write = write;
  process.env.POWERTOOLS_METRICS_DISABLED = before;
});

const metrics = () => embeddedMetrics<MetricName, MetricDimension>(settings, metricUnits);

const written = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('metric values with dimensions are written as one log line, with totals and with values by dimension', () => {
  metrics().record({ TasksFailed: 1, CreditsRefunded: 7 }, { operation: 'generateVoice', code: 'CANCELED' });
  expect(written()).toEqual([
    {
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'GenerationService/test',
            Dimensions: [['service'], ['service', 'operation', 'code']],
            Metrics: [
              { Name: 'TasksFailed', Unit: 'Count' },
              { Name: 'CreditsRefunded', Unit: 'Count' },
            ],
          },
        ],
      },
      service: 'GenerationService',
      operation: 'generateVoice',
      code: 'CANCELED',
      TasksFailed: 1,
      CreditsRefunded: 7,
    },
  ]);
});

test('metric values of one log line are not repeated in the next line', () => {
  const recorder = metrics();
  recorder.record({ RateLimitRejections: 1 }, { operation: 'getTask' });
  recorder.record({ OldestOpenTaskAge: 12.5 });
  expect(written()[1]).toMatchObject({ OldestOpenTaskAge: 12.5 });
  expect(JSON.stringify(written()[1])).not.toMatch(/getTask|RateLimit/);
  expect(JSON.stringify(written()[1])).toContain('"Dimensions":[["service"]]');
});

test('no metric is written if metrics are disabled', () => {
  process.env.POWERTOOLS_METRICS_DISABLED = 'true';
  metrics().record({ SlotDrift: 1 });
  expect(lines).toEqual([]);
});
