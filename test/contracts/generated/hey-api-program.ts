/** A program of a client: the functions that @hey-api/openapi-ts generates. */
import { type CompletedTask, generateVoice, getProfile, getTask, listOrders, type Task, type VoiceTask } from './hey';
import { createClient } from './hey/client';

const [, , baseUrl = '', token = '', urlOfTomorrow = ''] = process.argv;
const client = createClient({ baseUrl, auth: () => token });

const created = await generateVoice({ client, body: { text: 'Oi.', voice: 'SARAH' } });
if (!created.data || !('taskId' in created.data.data)) throw new Error(created.error?.error.message);
const read = await getTask({ client, path: { taskId: created.data.data.taskId } });
const task = read.data?.data;

const isCompleted = (one: Task): one is Task & CompletedTask => one.status === 'completed';
const isVoice = (one: Task): one is Task & VoiceTask => one.taskType === 'voice';
const result: string | undefined = task && isCompleted(task) ? task.resultUrl : undefined;
const spoken: string | undefined = task && isVoice(task) ? task.input.text : undefined;

const tomorrow = createClient({ baseUrl: urlOfTomorrow, auth: () => token });
const later = (await getTask({ client: tomorrow, path: { taskId: '1' } })).data?.data;
const orders = (await listOrders({ client: tomorrow })).data?.data.orders;
const rejected = (await getProfile({ client: tomorrow })).error;
console.log(
  JSON.stringify({
    taskType: task?.taskType,
    credits: task?.creditsUsed,
    hasResult: result !== undefined,
    spoken,
    tomorrow: [later?.taskType, later?.status, later?.error?.code, orders?.[0]?.type, rejected?.error.code],
  }),
);
