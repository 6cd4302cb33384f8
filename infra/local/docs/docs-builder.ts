/** Builds the documentation site before the first request for it reaches its function. */
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import { onceDone } from '../built-folder.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';

/** Sends no response itself. A failed build fails the request, and is tried again at the next one. */
export function docsBuilder(build: () => Promise<void>): GatewayPage {
  const ready = onceDone(build);
  const { path } = documentRoutes.getDocs;
  return async ({ url = '' }) => {
    if (url.split(/[/?]/)[1] === path.slice(1)) await ready();
    return false;
  };
}
