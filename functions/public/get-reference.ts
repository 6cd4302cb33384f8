import { createHash } from 'node:crypto';
import { publish } from '../../shared/contracts/openapi/publish.ts';
import { referenceText } from '../../shared/contracts/openapi/published.ts';
import { style } from '../../shared/contracts/openapi/reference/style.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

/** The page contains no scripts and loads nothing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the API's documentation as a page. */
export const getReference: Document = async ({ settings }) => ({
  body: publish(referenceText(), settings),
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
  },
});

export const definition = documentLambda('getReference', getReference);
