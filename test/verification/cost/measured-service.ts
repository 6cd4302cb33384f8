/** The complete service with its resource usage metered, and substitutes for an engine, KMS and a receiver. */
import diagnosticsChannel from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { asksOf } from '../../../bench/cost/asks.ts';
import { inputBytesOf, outsideMs, tripDelayMs } from '../../../bench/cost/assumptions.ts';
import type { Scenario } from '../../../bench/cost/task-record.ts';
import { countTrips } from '../../../bench/counted-service.ts';
import type { TripCounter } from '../../../bench/trip-counter.ts';
import { wrapFunctions } from '../../../infra/local/functions.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { awsJsonEndpoint } from '../../support/aws-json-endpoint.ts';
import type { ScriptedJob } from '../../support/scripted-engine.ts';
import { type TestService, testService } from '../../support/test-service.ts';
import { respondWith } from '../../support/webhook-receiver.ts';
import { type FunctionMeter, functionMeter } from './function-meter.ts';

export interface MeasuredService extends TestService {
  readonly meter: FunctionMeter;
  readonly trips: TripCounter;
  /** The requests to SQS, S3 and KMS in order of their start: `SQS SendMessage`, `S3 PUT`, … */
  readonly requests: readonly string[];
  /** The size of all inputs that the engine has downloaded. */
  readonly inputBytes: number;
  /** Lets the job of the current task end. */
  release(): void;
}

/** Schedules are excluded, because their cost is monthly and independent of the number of tasks. */
const scheduled = ['sweepTasks', 'auditLedger'];
const functions = wrapFunctions((name, handler) => (scheduled.includes(name) ? async () => ({}) : handler));

/**
 * Shortens the state machine's waits, so that a job that would take minutes takes seconds; a wait stays far longer than
 * a function runs. Without polls, no wait needs to be shortened.
 */
const paceOf = (scenario: Scenario): number => (asksOf(scenario) === 0 ? 1 : 0.05);

const bytes = (count: number): string => Buffer.alloc(count, 7).toString('base64');

/** The KMS operations that webhooks use, without real cryptography. */
const kmsReplies: Readonly<Record<string, object>> = {
  GenerateMac: { Mac: bytes(32) },
  Sign: { Signature: bytes(64) },
};

/** Keys are in KMS as on AWS. Metrics are on, because on AWS they are log lines, which are charged. */
const metered = (kmsUrl: string): Readonly<Record<string, string>> => ({
  [settingVariables.webhookTokenKey]: 'arn:aws:kms:us-east-1:000000000000:key/webhook-tokens',
  [settingVariables.webhookSigningKeys]: 'arn:aws:kms:us-east-1:000000000000:key/webhook-signatures',
  AWS_ENDPOINT_URL_KMS: kmsUrl,
  [settingVariables.metricsDisabled]: 'false',
});

const services: Readonly<Record<string, string>> = { AmazonSQS: 'SQS', TrentService: 'KMS' };

/** The name of a request; only S3 has no `X-Amz-Target`. */
function nameOf({ headers, method }: IncomingMessage): string {
  const [service = '', operation] = String(headers['x-amz-target'] ?? '').split('.');
  return operation === undefined ? `S3 ${method}` : `${services[service] ?? service} ${operation}`;
}

/** Counts the requests to these addresses in this process. */
function requestCounter(urls: readonly string[]) {
  const ports = new Set(urls.map((url) => Number(new URL(url).port)));
  const requests: string[] = [];
  const note = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (ports.has(request.socket.localPort ?? 0)) requests.push(nameOf(request));
  };
  diagnosticsChannel.subscribe('http.server.request.start', note);
  return { requests, stop: () => diagnosticsChannel.unsubscribe('http.server.request.start', note) };
}

/** All URLs in an input, at any depth. */
function urlsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^https?:/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

/** Downloads a file that a task refers to, and resolves with the size that it is assumed to have. */
async function download(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`an input could not be fetched: ${response.status}`);
  return inputBytesOf(response.headers.get('content-type') ?? '');
}

/** An engine whose jobs end after a number of polls instead of a time, so that runs are fast and repeatable. */
function playEngine({ engine }: TestService, asks: number) {
  let released = Promise.withResolvers<void>();
  let inputBytes = 0;
  const checked = new Map<string, () => void>();
  const running = (job: ScriptedJob) => engine.report(job, 'running', { progress: Math.min(99, job.checks * 10) });

  async function work(job: ScriptedJob): Promise<void> {
    const fetched = Promise.all(urlsIn(job.input).map(download));
    const waited = asks > 0 && new Promise<void>((resolve) => checked.set(job.id, resolve));
    // The callback is delayed until after the response: if it arrived before the job is accepted, it would cost the
    // service additional requests.
    await sleep(outsideMs);
    await Promise.all([waited, fetched, released.promise]);
    inputBytes += (await fetched).reduce((sum, size) => sum + size, 0);
    released = Promise.withResolvers();
    if (job.callbackUrl) await engine.callBack(job, engine.done(job));
  }

  engine.play({
    async submit(job) {
      await sleep(outsideMs);
      // The error is printed, because after a failure the run would only wait.
      work(job).catch((error: Error) => process.stderr.write(`The engine failed: ${error.message}\n`));
      return { status: 202, body: engine.report(job, 'queued') };
    },
    async check(job) {
      await sleep(outsideMs);
      if (job.checks >= asks) checked.get(job.id)?.();
      return { status: 200, body: !job.callbackUrl && job.checks >= asks ? engine.done(job) : running(job) };
    },
    serve: () => sleep(outsideMs),
  });
  return { release: () => released.resolve(), inputBytes: () => inputBytes };
}

export async function startMeasuredService(scenario: Scenario): Promise<MeasuredService> {
  const meter = functionMeter(functions);
  const pace = paceOf(scenario);
  const kms = await awsJsonEndpoint((operation) => kmsReplies[operation]);
  const host = await testService({
    functions: meter.functions,
    engineCompletion: scenario.completion,
    environment: metered(kms.url),
    marksResults: true,
    pace,
    timeoutPace: pace,
  });
  host.receiver.respond((response) => sleep(outsideMs).then(() => respondWith(response, 204)));
  const { inputBytes, release } = playEngine(host, asksOf(scenario));
  const trips = await countTrips(host.service, tripDelayMs);
  const { requests, stop } = requestCounter([host.service.environment.AWS_ENDPOINT_URL_SQS ?? '', kms.url]);
  return {
    ...host,
    meter,
    trips,
    requests,
    release,
    get inputBytes() {
      return inputBytes();
    },
    async close() {
      stop();
      await host.close();
      await Promise.all([kms.close(), trips.close()]);
    },
  };
}
