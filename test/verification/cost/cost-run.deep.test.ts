/** The AWS resources that one task uses are those that docs/scale.md divides the quotas by. */
import { describe, expect, test } from 'vitest';
import type { Scenario, TaskRecord } from '../../../bench/cost/task-record.ts';
import { usageOf } from '../../../bench/cost/usage.ts';
import { measureTasks } from './measure-tasks.ts';

const polls = 3;

/** Each of the first tasks on a route updates the row with the estimate of how long tasks take there. */
const learned = 1;

async function recordOf(scenario: Scenario): Promise<TaskRecord> {
  const [record] = await measureTasks({ scenario, polls, tasks: 1 });
  if (!record) throw new Error('no task was measured');
  return record;
}

const numbered = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));

const operations = ({ trips }: TaskRecord, operation: string) => trips.filter((trip) => trip.operation === operation);

/**
 * Each instance caches catalog and circuits for seconds, so only an isolated task queries them: these queries are left
 * out.
 */
const withoutCached = (record: TaskRecord): TaskRecord => ({
  ...record,
  trips: record.trips.filter(({ operation, capacityUnits }) => operation !== 'Query' || capacityUnits > 0.5),
});

function usedBy(record: TaskRecord) {
  const { apiRequests, writeUnits, readUnits, stateTransitions, signatures, storageWrites } = usageOf(
    withoutCached(record),
  );
  return {
    calls: numbered(record.calls.map(({ functionName }) => functionName)),
    apiRequests,
    writeUnits,
    readUnits,
    stateTransitions,
    signatures,
    storageWrites,
    successes: operations(record, 'SendTaskSuccess').length,
    failures: operations(record, 'SendTaskFailure').length,
  };
}

describe('the cost run of a task whose engine calls back', () => {
  test('uses 45 write units and 6 read units, and one more of each for every poll of the task', async () => {
    const record = await recordOf({ kind: 'speech', completion: 'callback', jobSeconds: 30, hasWebhook: true });
    expect(usedBy(record)).toEqual({
      calls: {
        generateVoice: 1,
        getTask: polls,
        askEngine: 1,
        receiveEngineCallback: 1,
        finalize: 1,
        deliverWebhook: 1,
      },
      apiRequests: 1 + polls + 1,
      writeUnits: 45 + polls + learned,
      readUnits: 6 + polls,
      stateTransitions: 2,
      signatures: 2,
      storageWrites: 1,
      successes: 1,
      failures: 0,
    });
    expect(record.statesEntered).toEqual(['AskEngine', 'Finalize']);
    // The local worker may poll the queue more often without receiving a message.
    const { 'SQS ReceiveMessage': receives, ...requests } = numbered(record.requests);
    expect(receives).toBeGreaterThanOrEqual(1);
    expect(requests).toEqual({
      'SQS SendMessage': 1,
      'SQS DeleteMessage': 1,
      'S3 PUT': 1,
      'S3 GET': 1,
      'KMS GenerateMac': 1,
      'KMS Sign': 1,
    });

    const [creation, end, ...others] = operations(record, 'TransactWriteItems');
    // The creation writes the debit, the task, the ledger row and the stored response, at two units each, and one entry
    // in each of the task's four lists and in the index of requests, at one unit.
    expect(creation?.capacityUnits).toBe(4 * 2 + 5);
    // The end writes the task, by then over 1 KB, the account, the figures of the day and the digest of the result; an
    // entry that moves within an index (by state, by next check) costs two units, and a new entry in a list (by state,
    // by delivery) one.
    expect(end?.capacityUnits).toBe(4 + 2 + 2 + 2 + 2 * 2 + 2);
    expect(others).toEqual([]);
  });
});

describe('the cost run of a task whose engine must be polled', () => {
  test('uses two more write units, one more read unit and one more state transition for each poll of the engine', async () => {
    const record = await recordOf({ kind: 'speech', completion: 'polling', jobSeconds: 9, hasWebhook: true });
    const checks = 3;
    expect(usedBy(record)).toEqual({
      calls: { generateVoice: 1, getTask: polls, askEngine: 1 + checks, finalize: 1, deliverWebhook: 1 },
      apiRequests: 1 + polls,
      // The last poll ends the task instead of storing its progress.
      writeUnits: 45 + polls + learned + checks + (checks - 1),
      readUnits: 4 + polls + checks,
      stateTransitions: 2 + checks,
      signatures: 2,
      storageWrites: 1,
      successes: 1,
      failures: checks,
    });
  });
});
