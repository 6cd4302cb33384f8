/**
 * The AWS endpoint of a run: the real table and bucket, with planned faults in front, and a scripted workflow and
 * queue.
 */
import { awsCallOf, performUnder } from '../faults/aws-call.ts';
import type { Faults } from '../faults/fault-plan.ts';
import { type Exchange, proxy, type Reply } from '../faults/proxy.ts';
import type { ScriptedQueue } from './scripted-queue.ts';
import type { ScriptedWorkflow } from './scripted-workflow.ts';

/** The parts of one run that are behind the endpoint. */
export interface BehindEndpoint {
  readonly faults: Faults;
  readonly workflow: ScriptedWorkflow;
  readonly queue: ScriptedQueue;
}

export interface AwsEndpoint {
  readonly url: string;
  serve(behind: BehindEndpoint): void;
  close(): Promise<void>;
}

/** The real table and bucket. */
export interface Backends {
  readonly databaseUrl: string;
  readonly storageUrl: string;
}

export async function awsEndpoint({ databaseUrl, storageUrl }: Backends): Promise<AwsEndpoint> {
  let behind: BehindEndpoint | undefined;

  const scripted = (response: { readonly status: number; readonly body: object } | undefined): Reply => ({
    status: response?.status ?? 503,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify(response?.body ?? {}),
  });

  const { url, close } = await proxy(async ({ incoming, body, forward }: Exchange) => {
    const call = awsCallOf(incoming);
    const { service, operation } = call;
    const parsed = () => JSON.parse(body.toString()) as Record<string, string>;
    const perform = async () => {
      if (service === 'S3') return forward(storageUrl);
      if (service === 'DynamoDB') return forward(databaseUrl);
      return scripted(
        service === 'SQS' ? behind?.queue.respond(parsed()) : behind?.workflow.respond(operation, parsed()),
      );
    };
    return performUnder(await behind?.faults.meet(operation), call, perform);
  });

  return {
    url,
    close,
    serve(next) {
      behind = next;
    },
  };
}
