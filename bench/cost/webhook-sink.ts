/** A webhook receiver that accepts everything after a realistic delay. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalServer, startLocalServer } from './local-server.ts';

export interface Notice {
  readonly taskId: string;
  readonly resultUrl?: string;
}

export interface WebhookSink extends LocalServer {
  /** Bytes of all webhooks so far, headers and body. */
  readonly bytes: number;
  /** Resolves with the first webhook of a task. */
  noticeOf(taskId: string): Promise<Notice>;
}

export async function startWebhookSink(latencyMs: number): Promise<WebhookSink> {
  const notices = new Map<string, Notice>();
  const arrivals = new EventEmitter();
  let bytes = 0;
  const server = await startLocalServer(async ({ rawHeaders }, body) => {
    bytes += Buffer.byteLength(rawHeaders.join('')) + rawHeaders.length * 2 + Buffer.byteLength(body);
    await sleep(latencyMs);
    const notice = JSON.parse(body) as Notice;
    notices.set(notice.taskId, notice);
    arrivals.emit('arrival');
    return { status: 204 };
  });
  return {
    ...server,
    get bytes() {
      return bytes;
    },
    async noticeOf(taskId) {
      for (;;) {
        const notice = notices.get(taskId);
        if (notice) return notice;
        await once(arrivals, 'arrival');
      }
    },
  };
}
