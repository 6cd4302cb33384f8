import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Rejection } from '../../shared/domain/rejection.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

/** The page loads only its own files, one of which is WebAssembly, and sends nothing elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  // The page itself unpacks it, so the response is not declared as compressed.
  '.gz': 'application/gzip',
};

const fileName = /^\w[\w-]*(?:\.\w+)+$/;

/** Returns the page that checks files, or a file that it loads. @throws {Rejection} not-found */
export const getVerify: Document = async (_context, { path: file = 'page.html' }) => {
  const content = fileName.test(file)
    ? await readFile(join(builtFolder('verify'), file)).catch(() => undefined)
    : undefined;
  if (content === undefined) throw new Rejection('not-found');
  return {
    body: content,
    headers: {
      'Content-Type': contentTypes[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
    },
  };
};

export const definition = documentLambda('getVerify', getVerify);
