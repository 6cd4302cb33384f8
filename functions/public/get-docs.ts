import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { publish } from '../../shared/contracts/openapi/publish.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

/** Pages load only the site's own files; images are part of their page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** The paths that files of the site can have; a path without an extension is a page. */
const sitePath = /^(?:[\w-]+\/)*[\w-]+(?:\.(\w+))?$/;

const noSuchPage = () =>
  new Rejection('not-found', { message: `There is no such page: ${documentRoutes.getDocs.path} lists all pages.` });

/** Returns a page or another file of the documentation site. @throws {Rejection} not-found */
export const getDocs: Document = async ({ settings }, { path = 'index' }) => {
  const named = sitePath.exec(path);
  if (!named) throw noSuchPage();
  const [, extension = 'html'] = named;
  const file = join(builtFolder('docs'), named[1] === undefined ? `${path}.html` : path);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw noSuchPage();
  return {
    body: publish(text, settings),
    headers: {
      'Content-Type': contentTypes[extension] ?? 'application/octet-stream',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
    },
  };
};

export const definition = documentLambda('getDocs', getDocs);
