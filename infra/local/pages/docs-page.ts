/** Serves the reference page of the API, which names the very server that is asked. */
import { createHash } from 'node:crypto';
import { referencePage } from '../../../shared/contracts/openapi/reference/page.ts';
import { style } from '../../../shared/contracts/openapi/reference/style.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';
import { openapiOf } from './openapi-page.ts';
import { sendDocument } from './send-document.ts';

const styleDigest = createHash('sha256').update(style).digest('base64');

/** The page has no script, and loads nothing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleDigest}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsPage: GatewayPage = async (request, response, requestId) => {
  if (request.method !== 'GET' || request.url?.split('?')[0] !== '/docs') return false;
  const html = referencePage(openapiOf(request));
  sendDocument(response, requestId, html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
  });
  return true;
};
