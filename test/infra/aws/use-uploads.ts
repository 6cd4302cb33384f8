/** Uses uploads in every way: as inputs of every operation, kept by a product, and in parts. */
import { expect } from 'vitest';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { exampleBody } from '../../support/example-body.ts';
import { fileFieldsOf, placed } from '../../support/file-fields.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';
import { tinyPng } from '../../support/tiny-image.ts';
import { uploadedUrl } from '../../support/upload-file.ts';

type Call = (operationId: OperationId, options: object) => Promise<TestResponse>;

async function completeUpload(call: Call): Promise<void> {
  const created = await call('createFile', { body: { contentType: 'video/mp4', bytes: 101 * 2 ** 20 } });
  const { fileId, upload } = created.body.data as {
    readonly fileId: string;
    readonly upload: { readonly parts: readonly { readonly bytes: number; readonly url: string }[] };
  };
  const etags: string[] = [];
  for (const { bytes, url } of upload.parts) {
    const { headers } = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
    etags.push(headers.get('etag') ?? '');
  }
  const completed = await call('completeFile', { params: { fileId }, body: { etags } });
  expect(completed.status, completed.text).toBe(200);
}

/** The kind of file does not matter: a file of the wrong kind is rejected only after it was opened. */
export async function useUploads(host: TestService, { token }: TestAccount, call: Call): Promise<void> {
  const upload = () => uploadedUrl(host, token, tinyPng(40, 30));
  const [fresh, kept] = [await upload(), await upload()];
  const texts = { title: 'Caneca', description: 'Azul.' };
  expect((await call('createStudioProduct', { body: { ...texts, images: [kept] } })).status).toBe(200);
  const headers = { 'x-dry-run': 'true' };
  for (const url of [fresh, kept]) {
    const items = Object.values(generateContracts).map(({ operationId, body: schema }) => {
      const example: unknown = exampleBody(operationId, host.engine.inputUrls);
      const body = [...fileFieldsOf(schema)].reduce((given, { path }) => placed(given, path, url), example);
      return { operation: operationId, body };
    });
    for (const { operation, body } of items) await call(operation, { body, headers });
    await call('generateBatch', { body: { items }, headers });
  }
  for (const imageUrl of [fresh, kept]) {
    const created = await call('removeBackground', { body: { imageUrl } });
    expect(created.status, created.text).toBe(202);
    await host.ended(token, (created.body.data as { taskId: string }).taskId);
  }
  await completeUpload(call);
}
