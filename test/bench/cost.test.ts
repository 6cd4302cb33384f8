/** Billed times, dollars and numbers of polls, compared with manually calculated examples. */
import { describe, expect, test } from 'vitest';
import { asksOf } from '../../bench/cost/asks.ts';
import { billOf, totalOf, verdictOn } from '../../bench/cost/bill.ts';
import { clipWays, costOf } from '../../bench/cost/clip-ways.ts';
import { costOptions } from '../../bench/cost/cost-options.ts';
import { billTable, type Measurement } from '../../bench/cost/cost-tables.ts';
import { prices, type Resource } from '../../bench/cost/prices.ts';
import type { Call, TaskRecord } from '../../bench/cost/task-record.ts';
import { billedMs, gigabyteSeconds, meanUsage, type Usage, usageOf } from '../../bench/cost/usage.ts';

const names = Object.keys(prices) as Resource[];
const using = (some: Partial<Usage>): Usage =>
  ({ ...Object.fromEntries(names.map((name) => [name, 0])), ...some }) as Usage;

describe('the estimated bill', () => {
  test.each([
    // 13 requests × 1,000 tasks × $3.50 / 1,000,000
    { uses: '13 requests', used: { apiRequests: 13 }, service: 'API Gateway', dollars: 0.0455 },
    // 5 × 1,000 × $25 / 1,000,000
    { uses: '5 state transitions', used: { stateTransitions: 5 }, service: 'Step Functions', dollars: 0.125 },
    // 1,000 × (42 × $0.625 + 16 × $0.125) / 1,000,000
    {
      uses: '42 write units and 16 read units',
      used: { writeUnits: 42, readUnits: 16 },
      service: 'DynamoDB',
      dollars: 0.02825,
    },
    // 1,000 × (16 × $0.20 / 1,000,000 + 1.5 × $0.0000133334)
    {
      uses: '16 requests and 1.5 GB-seconds',
      used: { lambdaRequests: 16, lambdaGigabyteSeconds: 1.5 },
      service: 'Lambda',
      dollars: 0.0232001,
    },
    // 1,000 × ($0.005 / 1,000 + 2 × $0.0004 / 1,000 + 0.001 × $0.023)
    {
      uses: 'a write, two reads and 0.001 GB-months',
      used: { storageWrites: 1, storageReads: 2, storedGigabyteMonths: 0.001 },
      service: 'S3',
      dollars: 0.0288,
    },
    // 1,000 × ($0.03 + $0.15) / 10,000
    { uses: 'a MAC and a signature', used: { macs: 1, signatures: 1 }, service: 'KMS', dollars: 0.018 },
  ])('charges $dollars dollars for $service for 1,000 tasks that each use $uses', ({ used, service, dollars }) => {
    const bill = billOf(using(used), 1000);
    expect(bill[service]).toBeCloseTo(dollars, 9);
    expect(totalOf(bill)).toBeCloseTo(dollars, 9);
  });

  test('says whether its whole range, part of it or none of it meets the target, and names the most expensive items', () => {
    const max = { Cheapest: 0.01, Cheap: 0.03, Dear: 0.16, Dearest: 0.2 };
    const min = { ...max, Dearest: 0.1 };
    const lines = 'most expensive are Dearest $0.200 (50 %), Dear $0.160 (40 %), Cheap $0.030 (8 %)';
    expect(verdictOn(min, max, 0.4)).toBe('$0.300 to $0.400, target at most $0.400: met');
    expect(verdictOn(min, max, 0.35)).toBe(
      `$0.300 to $0.400, target at most $0.350: met at the lower end only; ${lines}`,
    );
    expect(verdictOn(min, max, 0.2)).toBe(
      `$0.300 to $0.400, target at most $0.200: missed by at least $0.100; ${lines}`,
    );
  });

  test('is a single amount if the recorded tasks used the same, and a range if one had one more state transition', () => {
    const measurement: Measurement = {
      scenario: { kind: 'speech', completion: 'callback', jobSeconds: 30, hasWebhook: false },
      records: [
        {
          calls: [],
          trips: [],
          requests: [],
          statesEntered: ['AskEngine', 'Finalize', 'End'],
          webhookBytes: 0,
          resultBytes: 0,
          credentials: 0,
          inputBytes: 0,
        },
      ],
    };
    const { rows } = billTable([measurement, measurement, measurement]);
    const [min = [], max = []] = rows.slice(-2);
    expect(new Set(min.slice(1)).size).toBe(1);
    expect(new Set(max.slice(1)).size).toBe(1);
    // 1,000 × $25 / 1,000,000
    expect(Number(max[1]) - Number(min[1])).toBeCloseTo(0.025, 9);
  });

  test('states the source and date of every price', () => {
    for (const { page, asOf, found } of Object.values(prices)) {
      expect([page, found].every((text) => text.length > 5)).toBe(true);
      expect(asOf).toMatch(/^20\d\d(-\d\d)?$/);
    }
  });
});

describe('the billed duration of an invocation', () => {
  test('is rounded up to whole milliseconds, is at least 25 ms, and includes a share of a cold start', () => {
    expect(billedMs(0.2)).toBe(25 + 3);
    expect(billedMs(25.1)).toBe(26 + 3);
    expect(billedMs(1000)).toBe(1000 + 3);
  });

  test('is charged in proportion to the memory of the function', () => {
    expect(gigabyteSeconds({ functionName: 'getTask', ms: 997 })).toBeCloseTo(0.5, 9);
    expect(gigabyteSeconds({ functionName: 'finalize', ms: 997 })).toBeCloseTo(1, 9);
  });
});

describe('the recorded usage of a task', () => {
  const call = (functionName: string, more: Partial<Call> = {}): Call => ({
    functionName,
    ms: 10,
    logLines: 0,
    logBytes: 0,
    responseBytes: 0,
    isHttp: false,
    ...more,
  });
  const trip = (operation: string, capacityUnits: number) => ({
    to: 'DynamoDB' as const,
    operation,
    startedAt: 0,
    endedAt: 1,
    capacityUnits,
  });
  const record: TaskRecord = {
    calls: [
      call('generateVoice', { isHttp: true, logLines: 1, logBytes: 300, responseBytes: 700 }),
      call('askEngine'),
      call('askEngine'),
      call('finalize'),
    ],
    trips: [trip('UpdateItem', 1), trip('TransactWriteItems', 11), trip('Query', 0.5), trip('GetItem', 1)],
    requests: ['SQS SendMessage', 'SQS ReceiveMessage', 'SQS DeleteMessage', 'S3 PUT', 'KMS GenerateMac', 'KMS Sign'],
    statesEntered: ['AskEngine', 'Finalize'],
    webhookBytes: 324,
    resultBytes: 3 * 2 ** 20,
    credentials: 1,
    inputBytes: 0,
  };

  test('counts requests by service, a signature for each signed result, and read and write capacity separately', () => {
    expect(usageOf(record)).toMatchObject({
      apiRequests: 1,
      firewallRequests: 1,
      lambdaRequests: 4,
      writeUnits: 12,
      readUnits: 1.5,
      queueRequests: 3,
      storageWrites: 1,
      storageReads: 0,
      macs: 1,
      signatures: 2,
    });
  });

  test('counts each retry of a state as a transition', () => {
    expect(usageOf(record).stateTransitions).toBe(3);
  });

  test('counts log lines with the bytes that CloudWatch adds, one access log line, and outbound traffic', () => {
    const logBytes = 300 + 26 + (270 + 26);
    expect(usageOf(record).logGigabytes * 2 ** 30).toBeCloseTo(logBytes, 6);
    expect(usageOf(record).sentGigabytes * 2 ** 30).toBeCloseTo(1024, 6);
  });

  test('counts the bytes of the result for the time that it is stored', () => {
    const months = 90 / (365.25 / 12);
    expect(usageOf(record).storedGigabyteMonths * 1024).toBeCloseTo(3 * months, 6);
  });

  test('is averaged over all recorded tasks', () => {
    expect(meanUsage([using({ readUnits: 1 }), using({ readUnits: 4 })])).toEqual(using({ readUnits: 2.5 }));
  });
});

describe('the number of status checks of an engine job', () => {
  // Polls after 2 s, then after intervals that grow by half, up to 15 s: at 2, 5, 9.5, 16.25, 26.375, 41.375, 56.375
  // and 71.375 s.
  test.each([
    { jobSeconds: 1, asks: 1 },
    { jobSeconds: 5, asks: 2 },
    { jobSeconds: 9, asks: 3 },
    { jobSeconds: 60, asks: 8 },
  ])('is $asks for a job of $jobSeconds s whose engine must be polled', ({ jobSeconds, asks }) => {
    expect(asksOf({ completion: 'polling', jobSeconds })).toBe(asks);
  });

  // The state waits for 60 s and is retried a second later.
  test.each([
    { jobSeconds: 30, asks: 0 },
    { jobSeconds: 61, asks: 0 },
    { jobSeconds: 90, asks: 1 },
    { jobSeconds: 130, asks: 2 },
  ])('is $asks for a job of $jobSeconds s whose engine calls back', ({ jobSeconds, asks }) => {
    expect(asksOf({ completion: 'callback', jobSeconds })).toBe(asks);
  });
});

describe('the cost command', () => {
  test('accepts a number of polls up to the rate limit of a token, and derives it from the poll hints by default', () => {
    expect(costOptions([])).toEqual({ polls: undefined });
    expect(costOptions(['--polls', '0'])).toEqual({ polls: 0 });
    expect(costOptions(['--polls', '50'])).toEqual({ polls: 50 });
  });

  test.each(['--polls 51', '--polls -1', '--polls ten', '--tasks 1', '10'])(
    'rejects the arguments “%s” and states what is accepted',
    (args) => {
      expect(() => costOptions(args.split(' '))).toThrow('0 to 50: npm run cost -- --polls 10');
    },
  );
});

describe('the estimated cost of the clips of a half-hour video', () => {
  test.each([
    // 225 MB for three months, 30 minutes of a plan of 600 for $29
    ['clip service, Vizard', 0.0155 + 1.45, 0],
    // The same storage, $0.03 a minute, 0.9 GB of traffic at $0.09, and the model's tokens; each cut may transfer the
    // video again.
    ['own pipeline, fal.ai', 0.0155 + 0.9 + 0.081 + 0.0156, 9 * 0.081],
    // The same storage, $0.006 a minute, 9 clips of 40 s counted twice at $0.012, the model's tokens
    ['own pipeline, AWS', 0.0155 + 0.18 + 9 * (40 / 60) * 2 * 0.012 + 0.0156, 0],
  ])('exceeds the sum of its most expensive items by less than a cent with the %s', (name, dollars, moreAtMost) => {
    const way = clipWays.find((one) => one.name === name) ?? expect.fail(`${name} is missing`);
    const [min, max] = costOf(way);
    expect(min).toBeGreaterThan(dollars);
    expect(min - dollars).toBeLessThan(0.01);
    expect(max - min).toBeCloseTo(moreAtMost, 9);
  });
});
