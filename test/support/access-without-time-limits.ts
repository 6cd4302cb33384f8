/**
 * AWS clients for the local emulators without time limits. On a busy machine, an abandoned request may still have taken
 * effect, which a test would take for a bug.
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
