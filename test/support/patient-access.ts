/** How tests access the local parts: a request that is abandoned on a busy machine may have taken effect. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AwsAccess } from '../../shared/platform/aws-access.ts';

const agentOptions = { keepAlive: true, maxSockets: 50 };

/** Without the time limits by which a deployed function gives up a silent service. */
export const patientAccess = (access: AwsAccess): AwsAccess => ({
  ...access,
  requestHandler: { httpAgent: new HttpAgent(agentOptions), httpsAgent: new HttpsAgent(agentOptions) },
});
