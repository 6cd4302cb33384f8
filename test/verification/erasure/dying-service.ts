/** A context of a local service whose process dies after one of its changes to AWS. */
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import type { TestService } from '../../support/test-service.ts';
import { awsCallOf, performUnder } from '../faults/aws-call.ts';
import { death, type Faults, faultPlan } from '../faults/fault-plan.ts';
import { proxy } from '../faults/proxy.ts';

/** The services that a process changes, by the variables of their URLs. */
const variables = ['DYNAMODB', 'S3', 'SQS', 'SFN'].map((service) => `AWS_ENDPOINT_URL_${service}`);

export interface DyingService {
  readonly context: FullContext;
  /** Lets the process die after the given number of further changes. */
  dieAfter(changes: number): void;
  /** Whether the process has died; a new one is alive. */
  readonly isDead: boolean;
  revive(): void;
  close(): Promise<void>;
}

export async function dyingService({ clock, service }: TestService): Promise<DyingService> {
  const faults: Faults = faultPlan();
  const { context, environment } = service;
  const proxies = await Promise.all(
    variables.map(async (variable) => {
      const target = environment[variable] ?? '';
      const { url, close } = await proxy(async ({ incoming, forward }) => {
        const call = awsCallOf(incoming);
        return performUnder(await faults.meet(call.operation), call, () => forward(target));
      });
      return { variable, target, url, close };
    }),
  );
  const redirected = Object.entries(environment).map(([name, value]) => {
    const through = proxies.find(({ target }) => target !== '' && value.startsWith(target));
    const isQueue = name.endsWith('_QUEUE_URL');
    const own = proxies.find(({ variable }) => variable === (isQueue ? 'AWS_ENDPOINT_URL_SQS' : name));
    return [name, through && own ? value.replace(own.target, own.url) : value];
  });
  const made = createFullContext(Object.fromEntries(redirected), { clock, ids: context.ids });
  return {
    context: { ...made, circuits: closedCircuits },
    dieAfter: (changes) => faults.plan(death(changes)),
    get isDead() {
      return (faults.struck.get('any change lost') ?? 0) > 0;
    },
    revive: () => faults.plan([]),
    async close() {
      await Promise.all(proxies.map((one) => one.close()));
    },
  };
}
