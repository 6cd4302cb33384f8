/** Speaks a sentence, waits for it, and prints where the recording is. */
import { client, TaskFailedError } from 'generation-service-client';

const { API_URL = '', API_TOKEN } = process.env;
const [, , text = 'Olá! Seu vídeo está pronto.'] = process.argv;

const api = client({ baseUrl: API_URL, token: API_TOKEN });
const { data } = await api.generateVoice({ body: { text, voice: 'sarah' } });
try {
  const task = await api.waitForTask(data.taskId);
  console.log(`completed: ${task.resultUrl}`);
} catch (error) {
  if (!(error instanceof TaskFailedError)) throw error;
  console.log(`failed: ${error.code}, credits refunded: ${error.task.creditsRefunded}`);
}
