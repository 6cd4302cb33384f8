/** A host of pictures that a request can name: by path, each as a test tells it to be. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tinyPng } from './tiny-picture.ts';

/** How an address answers. */
export type PictureAnswer = (response: ServerResponse) => void;

export interface PictureHost {
  /** The address of a path; one that is not told otherwise shows a tiny PNG. */
  url(path?: string): string;
  close(): Promise<void>;
}

const tiny: PictureAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end(tinyPng(12, 9));
};

export async function pictureHost(answers: Readonly<Record<string, PictureAnswer>> = {}): Promise<PictureHost> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').slice(1).split('?');
    (Object.hasOwn(answers, path) ? answers[path] : tiny)?.(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = 'tiny.png') => `http://127.0.0.1:${port}/${path}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
