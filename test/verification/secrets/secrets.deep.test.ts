/** After a run of all operations, each secret is found where it belongs and nowhere else. */
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registry } from '../../../shared/contracts/registry.ts';
import { taskTokenCanaries } from './canaries.ts';
import { runEverything } from './full-run.ts';
import { type Canary, type Sighting, seenIn, sightings } from './search.ts';
import { filesIn, isKeeper, modeOf, type OutputName, type Outputs, readOutputs } from './searched-outputs.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let outputs: Outputs;
let canaries: Canary[];
let found: Record<OutputName, Sighting[]>;

beforeAll(async () => {
  world = await startWorld();
  await runEverything(world);
  outputs = await readOutputs(world);
  const docsPage = { name: 'docsPage', text: 'llms-full.txt' };
  canaries = [...world.canaries, ...taskTokenCanaries(world.lines.workflow.said()), docsPage];
  const looked = Object.entries(outputs).map(([name, place]) => [name, sightings(place, canaries)]);
  found = Object.fromEntries(looked) as typeof found;
});
afterAll(() => world?.close());

const entrusted = ['accountName', 'callbackAddress', 'clientReference', 'prompt', 'voiceId'];

/** Descriptions of products and avatars. */
const described = ['avatarName', 'productText', 'strangersProduct'];

/** The gateways' own ids, by which operators find a payment. */
const atGateways = ['gatewaySubscription', 'paymentId'];

const stored = [...entrusted, ...described, ...atGateways, 'fileAddress', 'origin', 'imageAddress', 'uploadSignature'];

/**
 * The secrets that must be found in each output, not only those that may be: an empty result would prove nothing.
 * `planted` is written on purpose to each output.
 */
const seen: Readonly<Record<OutputName, readonly string[]>> = {
  stdout: ['planted'],
  stderr: ['paymentId', 'planted'],
  rejections: ['planted'],
  headers: ['planted'],
  responses: [...entrusted, ...described, 'fileAddress', 'imageAddress', 'uploadSignature'],
  // The other account finds only its own secrets.
  strangers: ['strangersProduct'],
  pages: ['docsPage'],
  // The database contains the service's own records of the token that waits for a task, and of the engine's results.
  database: [...stored, 'planted', 'resultAddress', 'taskToken'],
  // The transcript is stored beside the video, for a day.
  files: [...stored, 'planted', 'resultAddress', 'spoken', 'taskToken'],
  queue: ['paymentId', 'planted'],
  executions: ['planted', 'resultAddress'],
  workflow: ['planted', 'resultAddress', 'taskToken'],
  // The archive of an account has what the account entrusted to the service.
  storage: [...entrusted, 'fileAddress', 'imageAddress', 'planted', 'spoken'],
  engine: [
    'avatarName',
    'callbackSeal',
    'engineKey',
    'engineWords',
    'inputSignature',
    'productText',
    'prompt',
    'resultAddress',
    'voiceId',
  ],
  provider: ['callbackSeal', 'productText', 'prompt', 'providerKey', 'providerWords', 'spoken'],
  gateway: ['endToEndId', 'payerEmail', 'payerName', 'payerTaxId', 'paymentId'],
  webhooks: ['callbackAddress', 'clientReference', 'receiverWords', 'webhookToken'],
  printed: entrusted,
};

const names = (some: readonly Sighting[]) => [...new Set(some.map(({ canary }) => canary))].toSorted();

const places: Readonly<Record<OutputName, string>> = {
  stdout: 'standard output',
  stderr: 'standard error',
  rejections: 'error responses',
  headers: 'response headers',
  responses: 'successful responses',
  strangers: 'responses to another account',
  pages: 'web pages',
  database: 'the database',
  files: 'files',
  queue: 'queue messages',
  executions: 'execution histories',
  workflow: 'messages to and from the workflow service',
  storage: 'messages to and from the storage',
  engine: 'messages to and from the engine',
  provider: 'messages to and from the provider',
  gateway: 'messages to and from the payment gateway',
  webhooks: 'messages to and from webhook receivers',
  printed: 'the output of commands',
};

test.for((Object.keys(places) as OutputName[]).map((name) => [places[name], name] as const))(
  'after a run of all operations, exactly the expected secrets are found in %s',
  ([, name]) => {
    const expected = seen[name];
    const surprising = found[name].filter(({ canary }) => !expected.includes(canary));
    expect(surprising).toEqual([]);
    expect(names(found[name])).toEqual([...expected].toSorted());
  },
);

test('secrets that may never be written are in no output of a run, and every other secret is in at least one output', () => {
  const everywhere = names(Object.values(found).flat());
  const nowhere = new Set(canaries.map(({ name }) => name).filter((name) => !everywhere.includes(name)));
  const never = ['apiToken', 'brokenKey', 'callbackKey', 'contentKey', 'idempotencyKey', 'signingKey', 'unknownMember'];
  expect([...nowhere].toSorted()).toEqual([...never, 'webhookTokenKey']);
});

type LogLine = Readonly<Record<string, unknown>>;

/** Each line is parsed separately, so that a line that is not one JSON document fails here. */
const logLines = (): LogLine[] =>
  `${world.service.output.stdout}${world.service.output.stderr}`
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

describe('the request log of a run', () => {
  const ofOperations = () => world.responses.filter(({ operationId }) => operationId !== undefined);
  const requestLines = () => logLines().filter(({ message }) => message === 'request');

  test('has one line of at most 600 bytes for each request, with caller, operation and status', () => {
    const lines = Map.groupBy(requestLines(), ({ requestId }) => String(requestId));
    const counts = ofOperations().map(({ requestId }) => lines.get(requestId)?.length);
    expect(counts).toEqual(counts.map(() => 1));
    for (const { operationId, requestId, status, body } of ofOperations()) {
      const { accountId, tokenId, taskId, code, reason, sampling_rate: _, ...line } = lines.get(requestId)?.[0] ?? {};
      const { error } = JSON.parse(body) as { error?: { code: string } };
      expect(line).toEqual({
        level: 'INFO',
        message: 'request',
        service: 'GenerationService',
        timestamp: expect.stringMatching(/^\d{4}-.+Z$/),
        requestId,
        operation: operationId,
        status,
        ms: expect.any(Number),
      });
      expect(code).toBe(error?.code);
      if (reason !== undefined) expect(code).toBe('GENERATION_FAILED');
      expect(tokenId === undefined).toBe(accountId === undefined);
      if (taskId !== undefined) expect(body).toContain(taskId);
      // A request may be rejected before its caller is identified.
      const known = registry[operationId ?? 'getHealth'].scopes.length > 0 && ![401, 500].includes(status);
      if (known) expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
    }
    const longest = Math.max(...requestLines().map((line) => Buffer.byteLength(JSON.stringify(line))));
    expect(longest).toBeLessThanOrEqual(600);
  });

  test('has only lines that are one JSON document each', () => {
    const others = world.service.output.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(others).toEqual([]);
  });
});

describe('the test run whose output is searched for secrets', () => {
  const messagesIn = (source: string) => [...source.matchAll(/logger\.\w+\('([^']+)'/g)].map(([, message]) => message);

  test('logs at every level, and the causes of errors', () => {
    const planted = logLines().filter(({ message }) => message === 'planted' || message === 'request failed');
    expect(planted.map(({ level }) => level)).toEqual(expect.arrayContaining(['TRACE', 'DEBUG', 'ERROR']));
    const causes = planted.map(({ error }) => (error as { cause?: { message: string } } | undefined)?.cause?.message);
    expect(causes).toContain(world.words.planted);
    expect(found.stdout.map(({ form }) => form)).toEqual(expect.arrayContaining(['raw', 'base64']));
    const metrics = logLines().filter(({ _aws }) => _aws !== undefined);
    expect(metrics.length).toBeGreaterThan(10);
  });

  test('logs every message that the product can log, except those that are tested separately', () => {
    // This run has no log-in, no connected page and no bug in a reader: their log lines are tested separately. It makes too
    // few tasks for their figures to take longer than an audit may, and its engines state no charges. Accounts are closed on
    // the command line, which logs nothing.
    const others = [
      'shared/gateways/cognito/*',
      'shared/domain/piloto/**',
      'shared/domain/privacy/**',
      'shared/runtime/report-reader-failure.ts',
    ];
    const files = globSync('{shared,functions}/**/*.ts', { exclude: others });
    const sources = files.map((file) => readFileSync(file, 'utf8'));
    const messages = [...new Set(sources.flatMap(messagesIn))];
    expect(messages.length).toBeGreaterThan(10);
    const logged = new Set(logLines().map(({ message }) => message));
    const silent = new Set(messages.filter((message) => !logged.has(message)));
    expect(silent).toEqual(
      new Set([
        'charge differs from the price',
        'cost of texts not recorded',
        'figures not recounted',
        'unused credits counted in part',
        'unused credits drift',
        'unused credits not counted',
      ]),
    );
  });

  test('causes every error code of the contracts', () => {
    // The storage rejects invalid uploads with a response in XML.
    const rejections = world.responses.filter(({ status, body }) => status >= 400 && !body.startsWith('<?xml'));
    const codes = rejections.map(({ body }) => (JSON.parse(body) as { error: { code: string } }).error.code);
    expect(new Set(codes)).toEqual(
      new Set([
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'INSUFFICIENT_CREDITS',
        'FORBIDDEN',
        'NOT_FOUND',
        'TASK_NOT_CANCELABLE',
        'RATE_LIMITED',
        'INTERNAL_ERROR',
        'PROVIDER_UNAVAILABLE',
        'GENERATION_FAILED',
      ]),
    );
  });

  test('ends tasks in every possible way', async () => {
    const items = outputs.database.toString('latin1');
    const codes = new Set([...items.matchAll(/"errorCode":\{"S":"(\w+)"\}/g)].map(([, code]) => code));
    expect([...codes]).toEqual(expect.arrayContaining(['PROVIDER_ERROR', 'PROVIDER_TIMEOUT', 'CANCELED']));
    expect(items.includes('"status":{"S":"completed"}')).toBe(true);
  });
});

describe('files that are meant to contain secrets', () => {
  test('are readable only by their owner, and contain only their own secrets', () => {
    const keepers = [...filesIn(world.service)].filter(([path]) => isKeeper(path));
    expect(keepers.map(([path]) => modeOf(world.service, path))).toEqual(keepers.map(() => '600'));
    const held = keepers.flatMap(([path, content]) => seenIn(content, canaries).map((name) => `${path}: ${name}`));
    expect(held.toSorted()).toEqual([
      'demo-account.json: apiToken',
      'demo-account.json: webhookToken',
      'keys/content/signing.key: contentKey',
      'keys/engine-callback.key: callbackKey',
      'keys/offline-engine.key: engineKey',
      'keys/webhook-signing/1.pem: signingKey',
      'keys/webhook.key: webhookTokenKey',
      'sandboxes/mercado-pago-events.jsonl: endToEndId',
      'sandboxes/mercado-pago-events.jsonl: payerEmail',
      'sandboxes/mercado-pago-events.jsonl: paymentId',
      'sandboxes/mercado-pago.jsonl: endToEndId',
      'sandboxes/mercado-pago.jsonl: payerEmail',
      'sandboxes/mercado-pago.jsonl: paymentId',
      'sandboxes/stripe-events.jsonl: accountName',
      'sandboxes/stripe-events.jsonl: gatewaySubscription',
      'sandboxes/stripe.jsonl: accountName',
      'sandboxes/stripe.jsonl: gatewaySubscription',
      'service.json: callbackKey',
      'service.json: engineKey',
    ]);
  });
});
