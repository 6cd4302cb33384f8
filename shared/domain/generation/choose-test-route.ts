/** The route of tasks of test tokens: the engine of test mode, whatever engines the service has. */
import { testRoute } from '../../catalog/test-route.ts';
import { testCaseOf } from '../../contracts/test-cases.ts';
import type { EngineRoute } from '../../engines/route.ts';
import { Rejection } from '../rejection.ts';

const retryAfterSeconds = 30;

/** @throws {Rejection} invalid if the test case does not exist; engine-unavailable if the test case says so */
export function chooseTestRoute(request: Parameters<typeof testCaseOf>[0]): EngineRoute {
  const found = testCaseOf(request);
  if (found && 'problem' in found) throw new Rejection('invalid', { message: found.problem });
  if (found?.name === 'unavailable') {
    throw new Rejection('engine-unavailable', { message: 'The engine is currently unavailable.', retryAfterSeconds });
  }
  return testRoute;
}
