/** Speaks a sentence, and receives the webhook that says where the recording is. */
import { createServer } from 'node:http';
import { client } from 'generation-service-client';
import { webhookHandlers } from 'generation-service-client/webhooks';

const { API_URL = '', API_TOKEN, WEBHOOK_TOKEN = '', CALLBACK_URL = 'http://127.0.0.1:4000/' } = process.env;
const [, , text = 'Olá! Seu vídeo está pronto.'] = process.argv;

const api = client({ baseUrl: API_URL, token: API_TOKEN });

// Verifies the signature and the webhook token, and responds when the event has been handled.
const options = {
  baseUrl: API_URL,
  webhookToken: WEBHOOK_TOKEN,
  onRejected: (reason: string) => console.log(`rejected: ${reason}`),
};
const receiver = webhookHandlers(options, async (event) => {
  if (event.event === 'task.completed') console.log(`completed: ${event.resultUrl}`);
  if (event.event === 'task.failed') {
    const { data: task } = await api.getTask({ params: { taskId: event.taskId } });
    console.log(`failed: ${event.error.code}, credits refunded: ${task.creditsRefunded}`);
  }
  server.close();
});

const server = createServer(receiver.node);
server.listen(Number(new URL(CALLBACK_URL).port), async () => {
  await api.generateVoice({ body: { text, voice: 'sarah', callbackUrl: CALLBACK_URL } });
});
