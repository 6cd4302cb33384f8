/** Builds the files of a route before the first request for one of them reaches its function. */
import { onceDone } from './built-folder.ts';
import type { GatewayPage } from './http-gateway/http-gateway.ts';

/** Sends no response itself. A failed build fails the request, and is tried again at the next one. */
export function builtOnRequest({ path }: { readonly path: string }, build: () => Promise<void>): GatewayPage {
  const ready = onceDone(build);
  return async ({ url = '' }) => {
    if (url.split(/[/?]/)[1] === path.slice(1)) await ready();
    return false;
  };
}
