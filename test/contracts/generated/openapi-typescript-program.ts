/** A program of a client: `fetch` with the types that openapi-typescript generates. */
import type { components, operations } from './api.ts';

type Body = operations['generateVoice']['requestBody']['content']['application/json'];
type Accepted = operations['generateVoice']['responses'][202]['content']['application/json'];
type Found = operations['getTask']['responses'][200]['content']['application/json'];
type Orders = operations['listOrders']['responses'][200]['content']['application/json'];
type Rejected = components['schemas']['ErrorResponse'];
type Task = components['schemas']['Task'];

const [, , url = '', token = '', urlOfTomorrow = ''] = process.argv;
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

// Fields with a default are left out, and a voice is accepted in upper case.
const body: Body = { text: 'Oi.', voice: 'SARAH' };
const created = await fetch(`${url}/api/v1/generate/voice`, { method: 'POST', headers, body: JSON.stringify(body) });
const { data } = (await created.json()) as Accepted;
const read = await fetch(`${url}/api/v1/tasks/${data.taskId}`, { headers });
const task = ((await read.json()) as Found).data;

const isCompleted = (one: Task): one is Task & components['schemas']['CompletedTask'] => one.status === 'completed';
const isVoice = (one: Task): one is Task & components['schemas']['VoiceTask'] => one.taskType === 'voice';
const result: string | undefined = isCompleted(task) ? task.resultUrl : undefined;
const spoken: string | undefined = isVoice(task) ? task.input.text : undefined;

const later = ((await (await fetch(`${urlOfTomorrow}/api/v1/tasks/1`)).json()) as Found).data;
const orders = ((await (await fetch(`${urlOfTomorrow}/api/v1/orders`)).json()) as Orders).data;
const { error } = (await (await fetch(`${urlOfTomorrow}/api/v1/profile`)).json()) as Rejected;
console.log(
  JSON.stringify({
    taskType: task.taskType,
    credits: task.creditsUsed,
    hasResult: result !== undefined,
    spoken,
    tomorrow: [later.taskType, later.status, later.error?.code, orders.orders[0]?.type, error.code],
  }),
);
