/** A server for fakes of JSON APIs, which also serves the files of their results. */
import { jsonIn } from '../shared/platform/json-in.ts';
import { type Answer, type ApiRequest, type ApiServer, startApiServer } from './api-server.ts';

export interface JsonRequest extends Pick<ApiRequest, 'method' | 'path' | 'headers'> {
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

interface JsonServiceOptions {
  readonly reply: (request: JsonRequest) => Answer | Promise<Answer>;
  /** Returns the MP4 at `/files/<name>`. */
  readonly fileNamed?: (name: string) => Promise<Buffer | undefined>;
}

export interface JsonService extends Omit<ApiServer, 'port'> {
  /** The requests except those for files, oldest first. */
  readonly requests: readonly JsonRequest[];
}

export async function startJsonService({ reply, fileNamed }: JsonServiceOptions): Promise<JsonService> {
  const requests: JsonRequest[] = [];
  const server = await startApiServer({
    async answer({ method, path, headers, body }) {
      const [, name] = /^\/files\/([\w-]+)\.mp4$/.exec(path) ?? [];
      if (name !== undefined) {
        const file = await fileNamed?.(name);
        return file ? { status: 200, headers: { 'content-type': 'video/mp4' }, body: file } : { status: 404, body: {} };
      }
      const request = { method, path, headers, body: jsonIn(body) };
      requests.push(request);
      return reply(request);
    },
  });
  return { ...server, requests };
}
