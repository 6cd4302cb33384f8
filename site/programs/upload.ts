/** Uploads a picture, removes its background, and prints where the result is. */
import { client } from 'generation-service-client';

const { API_URL = '', API_TOKEN } = process.env;
const [, , path = 'photo.png'] = process.argv;

const api = client({ baseUrl: API_URL, token: API_TOKEN });
const { url } = await api.files.upload(path);
const { data } = await api.removeBackground({ body: { imageUrl: url } });
const task = await api.waitForTask(data.taskId);
console.log(`completed: ${task.resultUrl}`);
