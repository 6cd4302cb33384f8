import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { publish } from '../../shared/contracts/openapi/publish.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

const list = 'index.json';

/** Packages are binary; the list and the checksums are texts. */
const packageTypes: Readonly<Record<string, string>> = { '.tgz': 'application/gzip', '.whl': 'application/zip' };
const textTypes: Readonly<Record<string, string>> = { '.json': 'application/json; charset=utf-8' };

const fileName = /^\w[\w.-]*$/;
const hasVersion = (file: string): boolean => /-\d+\.\d+\.\d+/.test(file);

/** Returns a package of a client, the list of all packages, or their checksums. @throws {Rejection} not-found */
export const getClients: Document = async ({ settings }, { path: file = list }) => {
  const content = fileName.test(file)
    ? await readFile(join(builtFolder('clients'), file)).catch(() => undefined)
    : undefined;
  if (content === undefined) {
    throw new Rejection('not-found', {
      message: `There is no such file: ${documentRoutes.getClients.path} lists all.`,
    });
  }
  const packageType = packageTypes[extname(file)];
  if (packageType === undefined) {
    const type = textTypes[extname(file)] ?? 'text/plain; charset=utf-8';
    return { body: publish(content.toString(), settings), headers: { 'Content-Type': type } };
  }
  const caching = hasVersion(file) ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : {};
  return { body: content, headers: { 'Content-Type': packageType, ...caching } };
};

export const definition = documentLambda('getClients', getClients);
