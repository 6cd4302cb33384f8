/** The soak: mixed load with faults all the time, then none until everything is settled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '../../../infra/local/database/database.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { createFullContext } from '../../../shared/runtime/full-context.ts';
import { seededChance } from '../../support/chance.ts';
import type { AwsCall } from '../faults/aws-call.ts';
import { type FaultyAws, faultyAws } from '../faults/faulty-aws.ts';
import { type FaultDice, faultDice } from '../faults/random-faults.ts';
import { snapshotReader } from '../oracle/snapshot.ts';
import { type TemporaryService, temporaryService } from '../process/temporary-service.ts';
import { type BackEnd, backEnd } from './back-end.ts';
import { type Requester, requester } from './checked-client.ts';
import { type Customers, signUp } from './customers.ts';
import { finalChecks, type Soaked } from './final-checks.ts';
import { type Gate, openGate } from './gate.ts';
import type { Sample } from './memory-trend.ts';
import { requests, shares } from './requests.ts';
import { settle } from './settle.ts';
import { type SoakEngine, soakEngine } from './soak-engine.ts';
import type { SoakSettings } from './soak-settings.ts';
import type { Worker } from './worker.ts';

export interface SoakResult extends Soaked {
  readonly settings: SoakSettings;
  readonly samples: readonly Sample[];
  readonly openFilesBefore: number;
  readonly openFilesAfter: number;
  readonly dice: FaultDice;
  readonly aws: FaultyAws;
  readonly engine: SoakEngine;
  readonly loadSeconds: number;
  readonly settleSeconds: number;
  /** A sentence for each promise that was broken. */
  readonly broken: readonly string[];
}

interface Everything {
  readonly settings: SoakSettings;
  readonly dice: FaultDice;
  readonly aws: FaultyAws;
  readonly engine: SoakEngine;
  readonly receiver: BackEnd;
  readonly databaseUrl: string;
  readonly service: TemporaryService;
}

/** The independent sequences of choices. */
const streams = { faults: 1, pauses: 2, engine: 3, backEnd: 4, firstWorker: 10 } as const;

/** A message or a webhook that fails for good comes back only after a minute and more: too long for the short form. */
const isSlowToMend = ({ operation }: AwsCall): boolean =>
  ['GetItem', 'PutItem', 'UpdateItem', 'SendMessage'].includes(operation);

/** At the beginning, now and then and at the end of the load, each time when no request is under way. */
async function sampling(all: Everything, gate: Gate, sender: Requester, signal: AbortSignal): Promise<Sample[]> {
  const { aws, service, settings } = all;
  const samples: Sample[] = [];
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  for (;;) {
    const isLast = signal.aborted;
    await gate.close();
    await pause(settings.breatherMs);
    const { heapUsed, rss, executions } = await service.measure();
    const openFiles = service.openFiles();
    const requests = sender.latenciesMs.length;
    samples.push({ requests, heapUsed, rss, openFiles, executions: executions.ended, objects: aws.objects });
    gate.open();
    if (isLast) return samples;
    await pause(settings.sampleEveryMs);
  }
}

interface Load {
  readonly customers: Customers;
  readonly sender: Requester;
  readonly known: Soaked['known'];
  readonly gate: Gate;
}

async function load({ receiver, settings }: Everything, { customers, sender, known, gate }: Load): Promise<void> {
  const { concurrency, requests: limit = Number.POSITIVE_INFINITY, seconds, seed } = settings;
  const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  let begun = 0;
  let keys = 0;
  const nextKey = () => {
    keys += 1;
    return `soak-${seed}-${keys}`;
  };
  const shared = { customers, requester: sender, backEnd: receiver, nextKey, resultUrls: [] };
  const work = async (position: number): Promise<void> => {
    const chance = seededChance(seed, streams.firstWorker + position);
    const worker: Worker = { ...shared, ...known, chance };
    while (begun < limit && performance.now() < until) {
      begun += 1;
      await gate.pass(() => requests[chance.weighted(shares)](worker));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, position) => work(position)));
}

async function soakEverything(all: Everything): Promise<SoakResult> {
  const { aws, databaseUrl, dice, engine, receiver, service, settings } = all;
  const context = createFullContext(service.environment);
  const customers = await signUp(context, settings);
  const sender = requester(service.url);
  const known = { canceled: new Set<string>(), ends: new Map<string, string>() };
  await service.measure();
  const openFilesBefore = service.openFiles();

  const over = new AbortController();
  const gate = openGate();
  const watching = sampling(all, gate, sender, over.signal);
  const startedAt = performance.now();
  dice.loaded(true);
  const loading = load(all, { customers, sender, known, gate }).finally(() => {
    dice.loaded(false);
    over.abort();
  });
  const [samples] = await Promise.all([watching, loading]);
  const loadedAt = performance.now();
  const left = await settle(service, context, settings);
  const settledAt = performance.now();
  const snapshot = await snapshotReader(databaseUrl)(context.settings.tableName);
  const { exhausted } = dice;
  const { forgedAccepted } = engine;
  const soaked = {
    service,
    context,
    requester: sender,
    backEnd: receiver,
    known,
    exhausted,
    forgedAccepted,
    left,
    snapshot,
  };
  const broken = await finalChecks(soaked);
  return {
    ...soaked,
    settings,
    samples,
    openFilesBefore,
    openFilesAfter: service.openFiles(),
    dice,
    aws,
    engine,
    loadSeconds: (loadedAt - startedAt) / 1000,
    settleSeconds: (settledAt - loadedAt) / 1000,
    broken,
  };
}

/** Keeps code that was not used for a while, so that its recompilation is not mistaken for growth. */
const memoryFlags = ['--expose-gc', '--no-flush-bytecode'];

/** The functions reach AWS through the faults, and the engine that fails. */
const byFaults = (awsUrl: string, engine: SoakEngine): Record<string, string> => ({
  ...Object.fromEntries(['DYNAMODB', 'S3', 'SFN', 'SQS'].map((part) => [`AWS_ENDPOINT_URL_${part}`, awsUrl])),
  [settingVariables.offlineEngineUrl]: engine.url,
  [settingVariables.offlineEngineKey]: engine.key,
});

interface Part {
  close(): Promise<void>;
}

export async function soak(settings: SoakSettings): Promise<SoakResult> {
  const { isLong, pace, seed } = settings;
  const parts: Part[] = [];
  const started = <Started extends Part>(part: Started): Started => {
    parts.push(part);
    return part;
  };
  try {
    const dice = faultDice({
      chance: seededChance(seed, streams.faults),
      mayExhaust: (call) => isLong || !isSlowToMend(call),
    });
    const database = started(await startDatabase({}));
    const pauses = seededChance(seed, streams.pauses);
    const aws = started(await faultyAws(dice, (from, to) => pauses.between(from, to)));
    const engine = started(await soakEngine(seededChance(seed, streams.engine)));
    const receiver = started(await backEnd(seededChance(seed, streams.backEnd), isLong));
    // Its engine fails on purpose, more often than a circuit would let it.
    const service = started(
      await temporaryService(
        { pace, circuits: 'closed' },
        { environment: { DYNAMODB_ENDPOINT: database.url }, execArgv: memoryFlags },
      ),
    );
    const { AWS_ENDPOINT_URL_SQS: queues = '', AWS_ENDPOINT_URL_SFN: machines = '' } = service.environment;
    aws.leadTo({ DynamoDB: database.url, 'Step Functions': machines, SQS: queues, S3: queues });
    await service.order({ do: 'redirect', environment: byFaults(aws.url, engine) });
    return await soakEverything({ settings, dice, aws, engine, receiver, databaseUrl: database.url, service });
  } finally {
    for (const part of parts.toReversed()) await part.close();
  }
}
