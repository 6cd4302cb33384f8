/** A Studio video on its way through every status, and ended in every way at each of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import { type Bench, startBench, startWorld, type World } from '../world/world.ts';
import { sweep, wait } from './background-commands.ts';
import type { Command } from './command.ts';
import { drain } from './drain.ts';
import { type Model, newModel } from './model.ts';
import { cancel } from './request-commands.ts';
import { createProduct, createStudioVideo } from './studio-commands.ts';
import { finalize, report, settle, step } from './workflow-commands.ts';

let bench: Bench;
let world: World;
let model: Model;

const videoCost = 22;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const run = async (...commands: readonly Command[]): Promise<void> => {
  for (const one of commands) await one.run(model, world);
};

const onlyTask = () => [...model.seen.tasks.values()][0];

/** A pending video of a product. */
async function begin(engineCompletion: 'callback' | 'polling'): Promise<void> {
  world = await startWorld(bench, { engineCompletion });
  model = await newModel(world, [videoCost]);
  await run(
    createProduct({ account: 0, files: [], linked: true, described: true }, []),
    createStudioVideo({ account: 0, product: 0, webhook: false }, []),
  );
}

const accepted = step({ execution: 0, steps: 1, mood: 'accepts', progress: 0 }, []);
const running = report({ task: 0, report: 'running', progress: 30, forged: false }, []);

/** How a task comes to each status. */
const ways = {
  pending: [],
  submitted: [accepted],
  processing: [accepted, running],
} as const satisfies Partial<Record<TaskStatus, readonly Command[]>>;

const canceled = cancel({ task: 0, byStranger: false }, []);
const overdue = [wait({ seconds: 1900 }), sweep({ everything: false }, [])];

/** By their error codes. Each end comes a second time, and late reports after it. */
const ends = {
  CANCELED: [canceled, canceled],
  PROVIDER_TIMEOUT: [...overdue, ...overdue],
  CONTENT_REJECTED: [1, 2].map(() => finalize({ task: 0, outcome: 'failed', ofAny: true }, [])),
  INTERNAL_ERROR: [1, 2].map(() => settle({ task: 0 }, [])),
} as const satisfies Record<string, readonly Command[]>;

type Case = readonly [status: keyof typeof ways, code: keyof typeof ends];

const cases = (Object.keys(ways) as Case[0][]).flatMap((status) =>
  (Object.keys(ends) as Case[1][]).map((code): Case => [status, code]),
);

test.for(cases)('a %s video that ends with %s is refunded once', async ([status, code]) => {
  await begin('callback');
  await run(...ways[status]);
  expect(onlyTask()?.status).toBe(status);
  await run(...ends[code], running, report({ task: 0, report: 'done', progress: 100, forged: false }, []));
  expect(onlyTask()).toMatchObject({ status: 'failed', errorCode: code });
  const amounts = model.seen.ledger.map(({ reason, amount }) => [reason, amount]);
  expect(amounts).toHaveLength(3);
  expect(Object.fromEntries(amounts)).toEqual({ bonus: videoCost, generation: -videoCost, refund: videoCost });
});

test.for(['callback', 'polling'] as const)(
  'a video shows as pending, submitted, processing and completed when its engine completes by %s',
  async (engineCompletion) => {
    await begin(engineCompletion);
    const seen = [onlyTask()?.status];
    const working =
      engineCompletion === 'callback' ? running : step({ execution: 0, steps: 1, mood: 'works', progress: 30 }, []);
    const done = [1, 2].map(() => step({ execution: 0, steps: 1, mood: 'is done', progress: 100 }, []));
    for (const commands of [[accepted], [working], done]) {
      await run(...commands);
      seen.push(onlyTask()?.status);
    }
    expect(seen).toEqual(['pending', 'submitted', 'processing', 'completed']);
    await drain(model, world, { first: 204, second: 204 });
    expect([...model.seen.accounts.values()]).toMatchObject([{ balance: 0 }]);
  },
);
