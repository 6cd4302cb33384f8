/** The contract fuzz: generated requests to a running service, followed by an audit of all accounts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../../../infra/local/host.ts';
import type { OperationContract } from '../../../shared/contracts/operation.ts';
import { registry } from '../../../shared/contracts/registry.ts';
import { imageHost } from '../../support/image-host.ts';
import { tinyWav } from '../../support/tiny-sound.ts';
import { tinyMp4 } from '../../support/tiny-video.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';
import { fuzzAccounts } from './fuzz-accounts.ts';
import { type Statuses, tallyResponses } from './response-tally.ts';
import { runSchemathesis, type Subject } from './run-schemathesis.ts';

export interface FuzzOptions {
  /** The minimum number of cases. */
  readonly cases: number;
  readonly seed: number;
}

export interface FuzzResult {
  readonly seed: number;
  readonly rounds: number;
  readonly cases: number;
  readonly statuses: Statuses;
  /** The problems found, one sentence each. */
  readonly problems: readonly string[];
}

const contracts: readonly OperationContract[] = Object.values(registry);

/** About how many cases the tool derives from a contract's own examples and limits, however many are requested. */
const derivedCases = 55 * contracts.length;
/** Operations with an unlimited number of different requests: a token alone has many invalid forms. */
const variedOperations = contracts.filter(({ scopes }) => scopes.length > 0).length;
const fewestExamples = 10;
/**
 * The fewest new cases that a round must contribute; otherwise no further round is run, because rounds could continue
 * forever.
 */
const maxRounds = 10;

/** Rejections that some cases must cause: otherwise they were not tested. */
const rejections = [400, 401, 402, 403, 404, 409, 429];

/** The operations and rejections that the cases have not reached. */
function blindSpots(statuses: Statuses): string[] {
  const met = new Set(Object.values(statuses).flatMap((ofOne) => Object.keys(ofOne)));
  const succeeded = (operation: string) =>
    Object.keys(statuses[operation] ?? {}).some((status) => status.startsWith('2'));
  return [
    ...rejections.filter((status) => !met.has(String(status))).map((status) => `No case got the status ${status}.`),
    ...contracts
      .filter(({ operationId }) => !succeeded(operationId))
      .map(({ operationId }) => `No case of ${operationId} succeeded.`),
  ];
}

/** Runs rounds until there are enough cases; the contract's own examples are only in the first one. */
async function sendCases(subject: Subject, { cases, seed }: FuzzOptions, sent: () => number) {
  const problems: string[] = [];
  let rounds = 0;
  while (rounds < maxRounds && (rounds === 0 || sent() < cases)) {
    const missing = cases - (rounds === 0 ? derivedCases : sent());
    const examples = Math.max(fewestExamples, Math.ceil(missing / variedOperations));
    const phases = rounds > 0 ? 'random' : 'all';
    problems.push(...(await runSchemathesis(subject, { seed: seed + rounds, examples, phases })));
    rounds += 1;
  }
  if (sent() < cases) problems.push(`Only ${sent()} cases of ${cases} were sent in ${rounds} rounds.`);
  return { problems, rounds };
}

/** The service that is fuzzed: in memory, with the same engine and workflow as a local one. */
const startSubject = (directory: string): Promise<Service> =>
  startService({
    port: 0,
    dataDir: join(directory, 'data'),
    inMemory: true,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    // The engine rejects every job, which is refunded, because generating results would take hours.
    engine: { latencyMs: 0, failure: 'reject' },
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });

async function fuzz(service: Service, directory: string, options: FuzzOptions): Promise<FuzzResult> {
  const tally = tallyResponses(Number(new URL(service.url).port));
  const motion = await tinyMp4(3, { width: 720, height: 1280 });
  const [receiver, files] = await Promise.all([
    webhookReceiver(),
    imageHost({
      'motion.mp4': (response) => response.end(motion),
      'sound.wav': (response) => response.end(tinyWav(1)),
    }),
  ]);
  try {
    const accounts = await fuzzAccounts(service);
    const { identities } = accounts;
    const here = {
      receiver: receiver.url,
      image: files.url(),
      video: files.url('motion.mp4'),
      sound: files.url('sound.wav'),
    };
    const subject = { url: service.url, identities, ...here, directory };
    const sent = await sendCases(subject, options, () => tally.cases);
    await accounts.endTasks();
    const { cases, serverErrors, statuses } = tally;
    const problems = [...sent.problems, ...serverErrors, ...blindSpots(statuses), ...(await accounts.audit())];
    return { seed: options.seed, rounds: sent.rounds, cases, statuses, problems };
  } finally {
    tally.stop();
    await Promise.all([receiver.close(), files.close()]);
  }
}

/** Sends the cases to a separate service. @throws {Error} if the service or the tool cannot start */
export async function contractFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const directory = mkdtempSync(join(tmpdir(), 'generation-service-fuzz-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const service = await startSubject(directory);
    try {
      return await fuzz(service, directory, options);
    } finally {
      await service.close();
    }
  } finally {
    process.off('exit', remove);
    remove();
  }
}
