/** Serves the sample images and other files of a demo from a local HTTP server, like a customer's back end. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../../../fakes/listen.ts';
import type { PageFile } from '../results-page.ts';

const contentTypes = {
  'astronaut.jpg': 'image/jpeg',
  'chelsea.webp': 'image/webp',
  'coffee.png': 'image/png',
  'rocket.jpg': 'image/jpeg',
} as const;

export type SampleName = keyof typeof contentTypes;

export interface SampleServer {
  /** The server's base URL, without a trailing slash. */
  readonly url: string;
  readonly urlOf: (name: string) => string;
  /** The file that is served under a name. @throws {Error} if there is none */
  readonly fileNamed: (name: string) => Promise<PageFile>;
  close(): Promise<void>;
}

export const readSample = (name: SampleName): Promise<Buffer> =>
  readFile(new URL(`../samples/${name}`, import.meta.url));

async function fileIn(given: readonly PageFile[], fileName: string): Promise<PageFile | undefined> {
  const name = (Object.keys(contentTypes) as SampleName[]).find((candidate) => candidate === fileName);
  if (!name) return given.find(({ caption }) => caption === fileName);
  return { caption: name, contentType: contentTypes[name], bytes: await readSample(name) };
}

async function respond(path: string, given: readonly PageFile[], response: ServerResponse): Promise<void> {
  const file = await fileIn(given, path.slice(1));
  if (!file) return void response.writeHead(404).end();
  const { bytes, contentType } = file;
  response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length }).end(bytes);
}

/** Starts the server; it serves each additional file under its caption. */
export async function startSampleServer(given: readonly PageFile[] = []): Promise<SampleServer> {
  const server = createServer((request, response) => {
    respond(request.url ?? '', given, response).catch((error: Error) => response.destroy(error));
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  return {
    url,
    urlOf: (name) => `${url}/${name}`,
    async fileNamed(name) {
      const file = await fileIn(given, name);
      if (!file) throw new Error(`there is no sample ${name}`);
      return file;
    },
    close: () => closeServer(server),
  };
}
