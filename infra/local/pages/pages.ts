/** What the local host serves beside the API: results, the API's description and a page to read it. */

import type { GatewayPage } from '../http-gateway/http-gateway.ts';
import { docsPage } from './docs-page.ts';
import { openapiPage } from './openapi-page.ts';
import { resultsPage } from './results-page.ts';

export const pages = (bucketUrl: () => Promise<string>): readonly GatewayPage[] => [
  resultsPage(bucketUrl),
  openapiPage,
  docsPage,
];
