/**
 * AWS clients for the local emulators, without time limits and signatures. On a busy machine, an abandoned request may
 * still have taken effect, which a test would take for a bug. The emulators check no signature, and computing one takes
 * a third of the CPU time of a request.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AwsAccess } from '../../shared/platform/aws-access.ts';

const agentOptions = { keepAlive: true, maxSockets: 50 };

interface Signed {
  readonly headers: Record<string, string>;
}

/** Writes the headers of a signature, which the emulators require, without a valid one. */
const signer = {
  async sign<Request extends Signed>(
    request: Request,
    // The client of Bedrock, which knows other schemes, too, names neither.
    { signingRegion = 'us-east-1', signingService = 'bedrock' }: Partial<Record<string, string>>,
  ): Promise<Request> {
    const scope = `20300101/${signingRegion}/${signingService}/aws4_request`;
    request.headers['x-amz-date'] = '20300101T000000Z';
    request.headers.authorization = `AWS4-HMAC-SHA256 Credential=local/${scope}, SignedHeaders=host;x-amz-date, Signature=0`;
    return request;
  },
};

/** Clients without the time limits with which a deployed function abandons an unresponsive service. */
export function testAccess(access: AwsAccess): AwsAccess {
  const requestHandler = { httpAgent: new HttpAgent(agentOptions), httpsAgent: new HttpsAgent(agentOptions) };
  const unsigned = { ...access, requestHandler, signer };
  return unsigned;
}
