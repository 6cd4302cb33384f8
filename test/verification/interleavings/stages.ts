/** The stage that a task has reached before the concurrent operations begin. */
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { outcomes, reportOf, setMood } from '../model/workflow-commands.ts';
import { ask, callBack, create, deliver, type Order, request, type Scene } from './scene.ts';

/** A task that was made, and of which type. */
export type StagedTask = Pick<Task, 'taskId' | 'taskType'>;

type Step = (scene: Scene, task: StagedTask) => Promise<unknown>;

const reportDone: Step = (scene, task) =>
  callBack(scene, task.taskId, reportOf(scene.world, task, { report: 'done', progress: 100 }));

/** Finalize, as the state machine calls it. */
const putIntoEffect: Step = async ({ functions, world }, task) => {
  await functions.invoke('finalize', { taskId: task.taskId, outcome: outcomes.done(task) });
  const execution = world.workflow.of(task.taskId);
  if (execution) execution.status = 'SUCCEEDED';
};

const delivered =
  (response: number): Step =>
  async (scene, { taskId }) => {
    const { clock, queue } = scene.world;
    const message = queue.messages.find(({ body }) => body.includes(taskId));
    if (!message) return;
    queue.remove(message);
    clock.advance(Math.max(0, message.dueAt - clock.now()));
    scene.world.setReceiverResponse(response);
    await deliver(scene, message.body);
  };

const cancel: Step = (scene, { taskId }) => request(scene, 'cancelTask', { params: { taskId } });

const asked: Step = (scene, { taskId }) => ask(scene, taskId);

const completed = [asked, reportDone, putIntoEffect];

const ways = {
  unstarted: [async ({ world }: Scene, { taskId }: StagedTask) => world.workflow.forget(taskId)],
  started: [],
  asking: [asked],
  'reported after the check': [asked, reportDone],
  'reported before the check': [reportDone],
  completed,
  canceled: [cancel],
  'webhook tried once': [...completed, delivered(500)],
  'webhook given up': [...completed, delivered(500), delivered(500), delivered(500)],
  'webhook delivered': [...completed, delivered(204)],
} as const satisfies Record<string, readonly Step[]>;

export type Stage = keyof typeof ways;

/** Makes a task and brings it to a stage; gives it. */
export async function stageTask(scene: Scene, stage: Stage, order: Order): Promise<StagedTask> {
  setMood(scene.world.host, 'accepts', 0);
  const { code, taskId } = await create(scene, order);
  if (taskId === '') throw new Error(`a task was to be made: ${code}`);
  const task: StagedTask = { taskId, taskType: order.taskType ?? 'voice' };
  for (const step of ways[stage]) await step(scene, task);
  return task;
}
