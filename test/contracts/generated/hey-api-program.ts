/** A program of a client: the functions that @hey-api/openapi-ts generates. */
import { generateVoice, getTask } from './hey';
import { createClient } from './hey/client';

const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient({ baseUrl, auth: () => token });

const created = await generateVoice({ client, body: { text: 'Oi.', voice: 'SARAH' } });
if (!created.data || !('taskId' in created.data.data)) throw new Error(created.error?.error.message);
const read = await getTask({ client, path: { taskId: created.data.data.taskId } });
const task = read.data?.data;
const result: string | undefined = task?.results?.[0]?.url;
console.log(JSON.stringify({ taskType: task?.taskType, credits: task?.creditsUsed, hasResult: result !== undefined }));
