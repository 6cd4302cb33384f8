/** A proxy between the service and an external party that makes the data in responses extreme. */
import type { LocalServer } from '../../support/local-server.ts';
import { proxy } from '../faults/proxy.ts';
import type { Distort } from './extreme-values.ts';

export interface DistortingProxy extends LocalServer {
  /** Runs a function while responses are distorted, except for data about the spared objects. */
  distorting<Result>(distort: Distort, spared: Iterable<string>, work: () => Promise<Result>): Promise<Result>;
}

/** The URL of the external party is looked up for each request. */
export async function distortingProxy(target: () => string): Promise<DistortingProxy> {
  let change: (document: unknown) => unknown = (document) => document;
  const server = await proxy(async ({ forward }) => {
    const { status, headers = {}, body = '' } = await forward(target());
    const isJson = String(headers['content-type']).includes('json');
    const { 'content-length': _length, ...others } = headers;
    const text = String(body);
    return { status, headers: others, body: isJson && text !== '' ? JSON.stringify(change(JSON.parse(text))) : body };
  });
  return {
    ...server,
    async distorting(distort, spared, work) {
      const set = new Set(spared);
      change = (document) => distort(document, set);
      return work().finally(() => {
        change = (document) => document;
      });
    },
  };
}
