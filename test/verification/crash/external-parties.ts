/** Everything that survives a kill of the service: the engine, the webhook receiver, and the recorders of its calls. */
import type { ServiceFile } from '../../../infra/local/service-file.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { type WebhookReceiver, webhookReceiver } from '../../support/webhook-receiver.ts';
import type { AwsService } from '../faults/aws-call.ts';
import { type EngineBehavior, type ExternalEngine, externalEngine } from '../process/external-engine.ts';
import { recordedAws, recordedFunctions, recordedProxy, stableAddress } from './call-recorder.ts';
import type { KillSwitch } from './kill-switch.ts';
import { storesReference } from './service-call.ts';

/**
 * The engine that generates media: the service's own, which dies with it, or an external one that behaves as the
 * request's text asks.
 */
export type Maker = 'own' | ((text: string) => EngineBehavior);

export interface ExternalPartiesOptions {
  readonly maker: Maker;
  /** The secrets of the service. */
  readonly clock: Clock;
}

export interface ExternalParties {
  /** The service's URL, which is the same in every run. */
  readonly url: string;
  /** The callback URL that requests contain. */
  readonly callbackUrl: string;
  readonly functionsUrl: string;
  /** Replaces the URLs of the service's parts in the functions' environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly engine: ExternalEngine;
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

/** The engine calls back only once the service has stored the acceptance of its job. */
async function outsideEngine({ gate, calls }: KillSwitch, { clock, maker }: ExternalPartiesOptions) {
  const isStored = (reference: string) =>
    calls.some((one) => one.moment === 'after' && one.body.includes(reference) && storesReference(one));
  const engine = await externalEngine({
    address: () => door.url,
    clock,
    behavior: ({ input }) => (maker === 'own' ? 'never ends' : maker(String(input.text))),
    mayCallBack: ({ reference }) => isStored(reference),
  });
  const door = await recordedProxy('engine', () => engine.url, gate);
  const environment = {
    [settingVariables.offlineEngineUrl]: door.url,
    [settingVariables.offlineEngineKey]: engine.key,
  };
  return { engine, door, environment: maker === 'own' ? {} : environment };
}

export async function startExternalParties(
  serviceNow: ServiceNow,
  killSwitch: KillSwitch,
  options: ExternalPartiesOptions,
): Promise<ExternalParties> {
  const receiver = await webhookReceiver();
  const [aws, outside, functions, service, hook] = await Promise.all([
    recordedAws((service) => serviceNow()?.environment[endpointVariable[service]], killSwitch.gate),
    outsideEngine(killSwitch, options),
    recordedFunctions(killSwitch.gate),
    stableAddress(() => serviceNow()?.url),
    recordedProxy('receiver', () => receiver.url, killSwitch.gate),
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
