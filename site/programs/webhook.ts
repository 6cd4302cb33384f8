/** Speaks a sentence, and receives the webhook that says where the recording is. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { client } from 'generation-service-client';
import { webhookHandlers } from 'generation-service-client/webhooks';

const { API_URL = '', API_TOKEN, WEBHOOK_TOKEN, CALLBACK_URL, WAIT_SECONDS = '60' } = process.env;
const [, , text = 'Olá! Seu vídeo está pronto.'] = process.argv;
const callbackUrl = CALLBACK_URL ?? 'http://127.0.0.1:4000/';
if (!WEBHOOK_TOKEN) throw new Error('Set WEBHOOK_TOKEN, which was shown with the API token.');

const api = client({ baseUrl: API_URL, token: API_TOKEN });

// Verifies the signature and the webhook token, and responds when the event has been handled.
const options = {
  baseUrl: API_URL,
  webhookToken: WEBHOOK_TOKEN,
  onRejected: (reason: string) => console.log(`rejected: ${reason}`),
};
const receiver = webhookHandlers(options, async (event) => {
  // Webhooks about other tasks of the account pass the same checks.
  if (event.taskId !== (await created).data.taskId) return;
  if (event.event === 'task.completed') console.log(`completed: ${event.resultUrl}`);
  if (event.event === 'task.failed') {
    const { data: task } = await api.getTask({ params: { taskId: event.taskId } });
    console.log(`failed: ${event.error.code}, credits refunded: ${task.creditsRefunded}`);
  }
  clearTimeout(timer);
  server.close();
});

const server = createServer(receiver.node).listen(Number(new URL(callbackUrl).port || 4000));
await once(server, 'listening');
const created = api.generateVoice({ body: { text, voice: 'sarah', callbackUrl } });
const { taskId } = (await created).data;

// A webhook can get lost: the task itself always says how it is doing.
const timer = setTimeout(async () => {
  const { data: task } = await api.getTask({ params: { taskId } });
  console.error(`no webhook arrived in ${WAIT_SECONDS} s: the task is ${task.status}`);
  process.exit(1);
}, Number(WAIT_SECONDS) * 1000);
