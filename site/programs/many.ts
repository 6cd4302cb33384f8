/** Speaks several sentences at once, and prints where each recording is. */
import { client } from 'generation-service-client';

const { API_URL = '', API_TOKEN } = process.env;
const [, , ...texts] = process.argv;

const api = client({ baseUrl: API_URL, token: API_TOKEN });
const created = await Promise.all(texts.map((text) => api.generateVoice({ body: { text, voice: 'sarah' } })));
const tasks = await api.waitForTasks(
  created.map(({ data }) => data.taskId),
  { onProgress: ({ ended, total }) => console.error(`${ended} of ${total}`) },
);
for (const { label, status, resultUrl, error } of tasks) console.log(`${label} ${status}: ${resultUrl ?? error?.code}`);
