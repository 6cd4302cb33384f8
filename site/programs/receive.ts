/** Receives webhooks until it is stopped, and handles every event once. */
import { createServer } from 'node:http';
import { webhookHandlers } from 'generation-service-client/webhooks';

const { API_URL = '', WEBHOOK_TOKEN = '', PORT = '4000' } = process.env;

// In your back end, a table with a unique column.
const handled = new Set<string>();

// Rejects what the service did not send, and what is not about one of your tasks.
const options = {
  baseUrl: API_URL,
  webhookToken: WEBHOOK_TOKEN,
  onRejected: (reason: string) => console.log(`rejected: ${reason}`),
};
const receiver = webhookHandlers(options, async (event, { id }) => {
  if (handled.has(id)) return;
  if (event.event === 'task.completed') console.log(`${event.taskId} completed: ${event.resultUrl}`);
  if (event.event === 'task.failed') console.log(`${event.taskId} failed: ${event.error.code}`);
  handled.add(id);
});

createServer(receiver.node).listen(Number(PORT), () => console.log(`listening on port ${PORT}`));
