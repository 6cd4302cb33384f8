/** An HTTP server with images; a test chooses the response of each path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { localServer } from './local-server.ts';
import { tinyPng } from './tiny-image.ts';

/** The response of a path. */
export type ImageResponse = (response: ServerResponse, request: IncomingMessage) => void;

export interface ImageHost {
  /** The URL of a path; a path without a chosen response serves a tiny PNG. */
  url(path?: string): string;
  close(): Promise<void>;
}

const tiny: ImageResponse = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end(tinyPng(12, 9));
};

export async function imageHost(handlers: Readonly<Record<string, ImageResponse>> = {}): Promise<ImageHost> {
  const server = await localServer((request, response) => {
    const [path = ''] = (request.url ?? '').slice(1).split('?');
    (Object.hasOwn(handlers, path) ? handlers[path] : tiny)?.(response, request);
  });
  return { url: (path = 'tiny.png') => `${server.url}/${path}`, close: () => server.close() };
}
