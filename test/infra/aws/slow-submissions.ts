/** A proxy in front of a fake of fal.ai that delays the responses to submissions, so that a task can end meanwhile. */

import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { localServer } from '../../support/local-server.ts';

export async function slowSubmissions(queueUrl: string) {
  const state = { delayMs: 0, submissions: 0 };
  const proxy = await localServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const isSubmission = method === 'POST';
    const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
    const given = Object.fromEntries(
      Object.entries(headers).filter(([name]) => /^(authorization|content-type|idempotency-key|x-fal)/.test(name)),
    ) as Record<string, string>;
    const answer = await fetch(`${queueUrl}${url}`, { method, headers: given, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    if (isSubmission) {
      state.submissions += 1;
      await sleep(state.delayMs);
    }
    response.writeHead(answer.status, { 'content-type': type });
    response.end(type.includes('json') ? bytes.toString().replaceAll(queueUrl, proxy.url) : bytes);
  });
  return { ...proxy, state };
}
