/** The service for tests that count requests to DynamoDB and Step Functions. */

import { countTrips, requestsAlone } from '../../bench/counted-service.ts';
import { roundName, roundsOf, type Trip } from '../../bench/trip.ts';
import { type AwsAccess, awsAccess } from '../../shared/platform/aws-access.ts';
import { stillClock } from './stepped-clock.ts';
import { type TestService, testService } from './test-service.ts';

export interface CountedService extends TestService {
  /** Runs a function and records every trip; trips through `host.service.context` are not counted. */
  trips(work: () => Promise<unknown>): Promise<Trip[]>;
  /** Access to the table through the counter. */
  readonly counted: AwsAccess;
  /** The round trips, by sequential rounds: `['UpdateItem', 'GetItem + Query']`. */
  rounds(work: () => Promise<unknown>): Promise<string[]>;
}

/** A delay that is long enough for concurrent trips to overlap on a busy machine. */
const overlapMs = 100;

/** Runs a function and records its round trips; `delayMs` is added to each. */
export async function countedService(delayMs = overlapMs): Promise<CountedService> {
  // At its real pace the workflow waits for a minute before its next action.
  const host = await testService({ functions: requestsAlone, pace: 1, clock: stillClock() });
  const counter = await countTrips(host.service, delayMs);
  return {
    ...host,
    counted: awsAccess({ ...host.service.environment, ...counter.environment }, 'DYNAMODB'),
    trips: (work) => counter.during(work),
    async rounds(work) {
      return roundsOf(await counter.during(work)).map(roundName);
    },
    async close() {
      await host.close();
      await counter.close();
    },
  };
}
