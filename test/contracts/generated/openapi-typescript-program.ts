/** A program of a client: `fetch` with the types that openapi-typescript generates. */
import type { operations } from './api.ts';

type Body = operations['generateVoice']['requestBody']['content']['application/json'];
type Accepted = operations['generateVoice']['responses'][202]['content']['application/json'];
type Found = operations['getTask']['responses'][200]['content']['application/json'];

const [, , url = '', token = ''] = process.argv;
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

// Fields with a default are left out, and a voice is accepted in upper case.
const body: Body = { text: 'Oi.', voice: 'SARAH' };
const created = await fetch(`${url}/api/v1/generate/voice`, { method: 'POST', headers, body: JSON.stringify(body) });
const { data } = (await created.json()) as Accepted;
const read = await fetch(`${url}/api/v1/tasks/${data.taskId}`, { headers });
const task = ((await read.json()) as Found).data;
const result: string | undefined = task.results?.[0]?.url;
console.log(JSON.stringify({ taskType: task.taskType, credits: task.creditsUsed, hasResult: result !== undefined }));
