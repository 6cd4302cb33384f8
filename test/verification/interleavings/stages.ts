/** The stage that a task has reached before the concurrent operations begin. */
import { outcomes, reportOf, setMood } from '../model/workflow-commands.ts';
import { ask, callBack, create, deliver, type Order, request, type Scene } from './scene.ts';

type Step = (scene: Scene, taskId: string) => Promise<unknown>;

const reportDone: Step = (scene, taskId) =>
  callBack(scene, taskId, reportOf(scene.world, taskId, { report: 'done', progress: 100 }));

/** Finalize, as the state machine calls it. */
const putIntoEffect: Step = async ({ functions, world }, taskId) => {
  await functions.invoke('finalize', { taskId, outcome: outcomes.done(taskId) });
  const execution = world.workflow.of(taskId);
  if (execution) execution.status = 'SUCCEEDED';
};

const delivered =
  (answer: number): Step =>
  async (scene, taskId) => {
    const { clock, queue } = scene.world;
    const message = queue.messages.find(({ body }) => body.includes(taskId));
    if (!message) return;
    queue.remove(message);
    clock.advance(Math.max(0, message.dueAt - clock.now()));
    scene.world.receiverAnswers(answer);
    await deliver(scene, message.body);
  };

const cancel: Step = (scene, taskId) => request(scene, 'cancelTask', { params: { taskId } });

const completed = [ask, reportDone, putIntoEffect];

const ways = {
  unstarted: [async ({ world }: Scene, taskId: string) => world.workflow.forget(taskId)],
  started: [],
  asking: [ask],
  'told what was asked': [ask, reportDone],
  'told before it was asked': [reportDone],
  completed,
  canceled: [cancel],
  'webhook tried once': [...completed, delivered(500)],
  'webhook given up': [...completed, delivered(500), delivered(500), delivered(500)],
  'webhook delivered': [...completed, delivered(204)],
} as const satisfies Record<string, readonly Step[]>;

export type Stage = keyof typeof ways;

/** Makes a task and brings it to a stage; gives its id. */
export async function stageTask(scene: Scene, stage: Stage, order: Order): Promise<string> {
  setMood(scene.world.host, 'accepts', 0);
  const { code, taskId } = await create(scene, order);
  if (taskId === '') throw new Error(`a task was to be made: ${code}`);
  for (const step of ways[stage]) await step(scene, taskId);
  return taskId;
}
