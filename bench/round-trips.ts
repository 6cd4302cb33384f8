/** Counts the sequential round trips to AWS of each kind of request, and their cost in network latency. */
import { localAccess } from '../infra/local/local-access.ts';
import { mainJob } from '../shared/domain/engine-jobs/engine-job.ts';
import { catalogKey } from '../shared/domain/keys.ts';
import { tokenText } from '../shared/domain/tokens/token.ts';
import { dynamoTable } from '../shared/platform/dynamo-table.ts';
import { type BenchAccount, type BenchService, startBenchService } from './bench-service.ts';
import { countTrips } from './counted-service.ts';
import { percentile } from './percentile.ts';
import { type TextTable, timesText } from './text-table.ts';
import { roundName, roundsOf, type Trip } from './trip.ts';
import type { TripCounter } from './trip-counter.ts';

/** Simulated network latency per trip, in milliseconds. */
const delayMs = 5;
/** The number of runs is low enough for an account's limits, even if each run first creates a task. */
const runs = 15;

type Work = () => Promise<unknown>;

/** Prepares one request and returns it. */
type Scenario = (account: BenchAccount, bench: BenchService) => Work | Promise<Work>;

const body = { text: 'Uma frase curta.', voice: 'sarah' } as const;
const speak = async ({ api }: BenchAccount): Promise<{ readonly taskId: string }> =>
  (await api.generateVoice({ body })).data;

const withoutTrip: Scenario = (_account, { service }) => {
  const headers = { authorization: `Bearer ${tokenText('0'.repeat(56)).slice(0, -1)}x` };
  return async () => (await fetch(`${service.url}/api/v1/profile`, { headers })).arrayBuffer();
};

const cancel: Scenario = async (account, { service: { context } }) => {
  const params = await speak(account);
  await context.engineJobs.recordToken(
    { taskId: params.taskId, name: mainJob },
    'a token without waiting requests',
    context.clock.now(),
  );
  return () => account.api.cancelTask({ params });
};

const getTask: Scenario = async (account) => {
  const params = await speak(account);
  return () => account.api.getTask({ params });
};

const replay: Scenario = async ({ api }) => {
  const request = { body, idempotencyKey: 'always the same' };
  await api.generateVoice(request);
  return () => api.generateVoice(request);
};

/** The client always sends a key. */
const withoutKey: Scenario = ({ token }, { service }) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  return async () => (await fetch(`${service.url}/api/v1/generate/voice`, request)).arrayBuffer();
};

const readTable: Scenario = (_account, { service }) => {
  // The table's client is created here, so that its requests are counted as well.
  const table = dynamoTable(
    service.context.settings.tableName,
    localAccess(service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? ''),
  );
  return () => table.get(catalogKey('plans'));
};

const bareRead = 'a bare read';

const scenarios: Readonly<Record<string, Scenario>> = {
  [bareRead]: readTable,
  'a malformed token': withoutTrip,
  getTask,
  async listTasks(account) {
    await speak(account);
    return () => account.api.listTasks();
  },
  listCreditHistory: ({ api }) => api.listCreditHistory,
  getProfile: ({ api }) => api.getProfile,
  'generateVoice without a key': withoutKey,
  'generateVoice, dry run':
    ({ api }) =>
    () =>
      api.generateVoice.dryRun({ body }),
  generateVoice: ({ api }, { service }) => {
    const idempotencyKey = service.context.ids.next();
    return () => api.generateVoice({ body, idempotencyKey });
  },
  'generateVoice, test token': async (_account, bench) => {
    const { api } = await bench.account('test');
    return () => api.generateVoice({ body });
  },
  'generateVoice, replayed': replay,
  cancelTask: cancel,
};

interface Run {
  readonly ms: number;
  readonly trips: readonly Trip[];
}

async function runOnce(counter: TripCounter, work: Work): Promise<Run> {
  let ms = 0;
  const trips = await counter.during(async () => {
    const startedAt = performance.now();
    await work();
    ms = performance.now() - startedAt;
  });
  return { ms, trips };
}

/** Runs all scenarios in turn, each with a new account. The first round, which opens connections, is excluded. */
async function measure(bench: BenchService, counter: TripCounter): Promise<Map<string, Run[]>> {
  const accounts = await Promise.all(Object.keys(scenarios).map(() => bench.account()));
  const measured = new Map<string, Run[]>(Object.keys(scenarios).map((name) => [name, []]));
  for (let run = 0; run <= runs; run += 1) {
    for (const [position, [name, scenario]] of Object.entries(scenarios).entries()) {
      const account = accounts[position] ?? (await bench.account());
      const done = await runOnce(counter, await scenario(account, bench));
      if (run > 0) measured.get(name)?.push(done);
    }
  }
  return measured;
}

/** The trips of the most typical run. */
function typicalRounds(measured: readonly Run[]): Trip[][] {
  const rounds = measured.map(({ trips }) => roundsOf(trips));
  const counts = rounds.map(({ length }) => length);
  return rounds.find(({ length }) => length === percentile(counts, 0.5)) ?? [];
}

function rowOf(name: string, measured: readonly Run[], medianOf: (name: string) => number): (string | number)[] {
  const rounds = typicalRounds(measured);
  const toDatabase = rounds.filter((round) => round.some(({ to }) => to === 'DynamoDB')).length;
  const units = rounds.flat().reduce((sum, { capacityUnits }) => sum + capacityUnits, 0);
  const median = medianOf(name);
  const way = rounds.map(roundName).join(' → ');
  return [name, toDatabase, rounds.length - toDatabase, units, median, timesText(median, medianOf(bareRead)), way];
}

function tableOf(measured: ReadonlyMap<string, readonly Run[]>): TextTable {
  const medianOf = (name: string): number => {
    const times = (measured.get(name) ?? []).map(({ ms }) => ms);
    return percentile(times, 0.5);
  };
  return {
    title: `Round trips per request, and its duration if every trip takes ${delayMs} ms longer, ${runs} runs of each, alternating`,
    columns: ['request', 'DynamoDB', 'Step Functions', 'units', 'p50 ms', 'p50 : read', 'sequence'],
    rows: [...measured].map(([name, done]) => rowOf(name, done, medianOf)),
  };
}

export async function roundTrips(): Promise<TextTable> {
  const bench = await startBenchService();
  try {
    const counter = await countTrips(bench.service, delayMs);
    try {
      return tableOf(await measure(bench, counter));
    } finally {
      await counter.close();
    }
  } finally {
    await bench.close();
  }
}
