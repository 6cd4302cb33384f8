/** The operation with which accounts upload their own files. */
import * as z from 'zod';
import { id, integer, oneOf, serviceUrl, timestamp } from './fields.ts';
import { unusedFilesRetentionDays } from './limits.ts';
import { inputLimits, megabytes, typeNames } from './media.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';

const { types, maxBytes } = inputLimits.image;

const FileRequest = once(() =>
  z
    .object({
      contentType: oneOf(types).describe(`The type of the file: ${typeNames(types)}.`),
      bytes: integer(1, maxBytes).describe(`The exact size of the file in bytes, at most ${megabytes(maxBytes)}.`),
    })
    .meta({ id: 'FileRequest' }),
);

const FileUpload = once(() =>
  z
    .object({
      fileId: id().describe('The id to pass in `productFileIds` or `avatarFileId`.'),
      upload: z
        .object({
          url: serviceUrl().describe('The URL to POST the form to, as `multipart/form-data`.'),
          fields: z
            .record(z.string().meta({ maxLength: 200 }), z.string().meta({ maxLength: 4096 }))
            .describe('The form fields to send, unchanged, before the field `file`.'),
          expiresAt: timestamp().describe('When the form expires.'),
        })
        .meta({ id: 'UploadForm' })
        .describe('How to upload the file.'),
    })
    .meta({ id: 'FileUpload', description: 'A file, and the form that uploads it.' }),
);

export const filesContracts = {
  createFile: {
    operationId: 'createFile',
    method: 'POST',
    path: '/api/v1/files',
    tag: 'Files',
    scopes: ['generate:image', 'generate:video'],
    idempotent: true,
    extension: true,
    summary: 'Upload a file',
    description: `Returns a form for uploading one file of exactly the given type and size. POST it to \`upload.url\` as \`multipart/form-data\`: all of \`upload.fields\`, then the file as the last field, named \`file\`. The storage responds with 204, or with an error status and an XML document. The file can be used as soon as it is uploaded, if its content (not its name) is an image of at most 50 megapixels. An unused file is deleted after ${unusedFilesRetentionDays} days; a file that a product or an avatar uses is kept, and later uploads with the same form do not change it. No credits are debited. Repeating the request with the same \`Idempotency-Key\` returns the same form, even if it has expired.`,
    get body() {
      return FileRequest();
    },
    success: {
      status: 201,
      get data() {
        return FileUpload();
      },
    },
    errors: ['IDEMPOTENCY_CONFLICT'],
    example: {
      body: { contentType: 'image/png', bytes: 48_213 },
      data: {
        fileId: '0193a5c4-9a31-7d0f-8b52-6c7d8e9fa0b1',
        upload: {
          url: 'https://s3.us-east-1.amazonaws.com/generation-service-inputs',
          fields: {
            key: 'uploads/0193a5c4-9a31-7d0f-8b52-6c7d8e9fa0b1',
            'Content-Type': 'image/png',
            Policy: 'eyJleHBpcmF0aW9uIjoi…',
            'X-Amz-Signature': '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
          },
          expiresAt: '2026-11-21T13:00:00.000Z',
        },
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
