/** What lives on around a service that is killed: whom it works with, whom it tells, and the taps before its own parts. */
import type { ServiceFile } from '../../../infra/local/service-file.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { type WebhookReceiver, webhookReceiver } from '../../support/webhook-receiver.ts';
import type { AwsService } from '../faults/aws-call.ts';
import { type EngineAtWork, engineAtWork, type Manner } from './engine-at-work.ts';
import type { Guillotine } from './guillotine.ts';
import { keepsReference } from './passage.ts';
import { awsTap, frontDoor, functionTap, tap } from './tap.ts';

/** Who makes the media: the service's own offline engine, which dies with it, or one outside, by the request's text. */
export type Maker = 'own' | ((text: string) => Manner);

export interface SurroundingsOptions {
  readonly maker: Maker;
  readonly isPatient: boolean;
  /** The service's. */
  readonly clock: Clock;
}

export interface Surroundings {
  /** Where the service is reached, life after life. */
  readonly url: string;
  /** Where it is told to send its webhooks. */
  readonly callbackUrl: string;
  readonly functionsUrl: string;
  /** What the service's functions find in their environment instead of the addresses of its parts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly engine: EngineAtWork;
  readonly receiver: WebhookReceiver;
  close(): Promise<void>;
}

type ServiceNow = () => ServiceFile | undefined;

const endpointVariable = {
  DynamoDB: 'AWS_ENDPOINT_URL_DYNAMODB',
  SQS: 'AWS_ENDPOINT_URL_SQS',
  S3: 'AWS_ENDPOINT_URL_S3',
  'Step Functions': 'AWS_ENDPOINT_URL_SFN',
} as const satisfies Record<AwsService, string>;

/** An engine that is patient calls back only once the service has kept its acceptance. */
async function outsideEngine({ gate, passed }: Guillotine, { clock, isPatient, maker }: SurroundingsOptions) {
  const isKept = (reference: string) =>
    passed.some((one) => one.moment === 'after' && keepsReference(one) && one.body.includes(reference));
  const engine = await engineAtWork({
    address: () => door.url,
    clock,
    manner: ({ input }) => (maker === 'own' ? 'never ends' : maker(String(input.text))),
    mayCallBack: ({ reference }) => !isPatient || isKept(reference),
  });
  const door = await tap('engine', () => engine.url, gate);
  const environment = {
    [settingVariables.offlineEngineUrl]: door.url,
    [settingVariables.offlineEngineKey]: engine.key,
  };
  return { engine, door, environment: maker === 'own' ? {} : environment };
}

export async function startSurroundings(
  serviceNow: ServiceNow,
  guillotine: Guillotine,
  options: SurroundingsOptions,
): Promise<Surroundings> {
  const receiver = await webhookReceiver();
  const [aws, outside, functions, service, hook] = await Promise.all([
    awsTap((service) => serviceNow()?.environment[endpointVariable[service]], guillotine.gate),
    outsideEngine(guillotine, options),
    functionTap(guillotine.gate),
    frontDoor(() => serviceNow()?.url),
    tap('receiver', () => receiver.url, guillotine.gate),
  ]);
  const { engine, door } = outside;
  return {
    url: service.url,
    callbackUrl: `${hook.url}/hook`,
    functionsUrl: functions.url,
    environment: {
      ...Object.fromEntries(Object.values(endpointVariable).map((variable) => [variable, aws.url])),
      ...outside.environment,
      [settingVariables.apiUrl]: service.url,
      [settingVariables.resultsUrl]: service.url,
    },
    engine,
    receiver,
    async close() {
      const open = [aws, door, functions, service, hook, engine, receiver];
      await Promise.all(open.map((one) => one.close()));
    },
  };
}
