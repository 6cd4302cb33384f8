/**
 * Access to the local substitutes without time limits: a request that is abandoned on a busy machine may have taken
 * effect.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AwsAccess } from '../../shared/platform/aws-access.ts';

const agentOptions = { keepAlive: true, maxSockets: 50 };

/** Clients without the time limits with which a deployed function abandons an unresponsive service. */
export const accessWithoutTimeLimits = (access: AwsAccess): AwsAccess => ({
  ...access,
  requestHandler: { httpAgent: new HttpAgent(agentOptions), httpsAgent: new HttpsAgent(agentOptions) },
});
