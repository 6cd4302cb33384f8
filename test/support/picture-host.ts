/** A host of images that a request can name by path; each path answers as a test chooses. */
import type { ServerResponse } from 'node:http';
import { localServer } from './local-server.ts';
import { tinyPng } from './tiny-picture.ts';

/** How a path answers. */
export type PictureAnswer = (response: ServerResponse) => void;

export interface PictureHost {
  /** The address of a path; a path without an answer of its own serves a tiny PNG. */
  url(path?: string): string;
  close(): Promise<void>;
}

const tiny: PictureAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end(tinyPng(12, 9));
};

export async function pictureHost(answers: Readonly<Record<string, PictureAnswer>> = {}): Promise<PictureHost> {
  const server = await localServer((request, response) => {
    const [path = ''] = (request.url ?? '').slice(1).split('?');
    (Object.hasOwn(answers, path) ? answers[path] : tiny)?.(response);
  });
  return { url: (path = 'tiny.png') => `${server.url}/${path}`, close: () => server.close() };
}
