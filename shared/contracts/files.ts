/** Operations by which accounts upload their own files. */
import * as z from 'zod';
import { id, integer, listOf, oneOf, serviceUrl, text, timestamp } from './fields.ts';
import { keptBytesPerDay, unusedFilesRetentionDays, uploadBytesPerDay } from './limits.ts';
import { type MediaKind, type MediaType, mediaTypes, megabytes, typeNames } from './media.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { generationScopes } from './scopes.ts';
import { filesPath, formBytes, maxParts, partBytes, uploadBytes, uploadBytesOf, uploadTypes } from './uploads.ts';

const kinds: Readonly<Record<MediaKind, string>> = {
  image: `images (${typeNames(uploadTypes.filter((type) => type.startsWith('image/')))})`,
  audio: `audio (${typeNames(uploadTypes.filter((type) => type.startsWith('audio/')))})`,
  video: `video (${typeNames(uploadTypes.filter((type) => type.startsWith('video/')))})`,
};

const limits = (Object.keys(kinds) as MediaKind[])
  .map((kind) => `${kinds[kind]} at most ${megabytes(uploadBytes[kind])}`)
  .join(', ');

const isWithinLimit = ({ contentType, bytes }: { readonly contentType: MediaType; readonly bytes: number }) =>
  bytes <= uploadBytesOf(contentType);

const FileRequest = once(() =>
  z
    .object({
      contentType: oneOf(uploadTypes).describe('The type of the file.'),
      bytes: integer(1, uploadBytes.video).describe(`The exact size of the file in bytes: ${limits}.`),
    })
    .refine(isWithinLimit, {
      path: ['bytes'],
      error: ({ input }) => {
        const { contentType } = input as { readonly contentType: MediaType };
        return `must be at most ${uploadBytesOf(contentType)} for ${mediaTypes[contentType].name}`;
      },
    })
    .meta({ id: 'FileRequest' }),
);

const expiry = () => timestamp().describe('Until when an upload can begin.');

const UploadForm = once(() =>
  z
    .object({
      method: z.literal('POST').describe('The file is sent by one form.'),
      url: serviceUrl().describe('The URL to POST the form to, as `multipart/form-data`.'),
      fields: z
        .record(z.string().meta({ maxLength: 200 }), z.string().meta({ maxLength: 4096 }))
        .describe('The form fields to send, unchanged, before the field `file`.'),
      expiresAt: expiry(),
    })
    .meta({ id: 'UploadForm', description: `How to upload a file of up to ${megabytes(formBytes)}.` }),
);

const UploadParts = once(() =>
  z
    .object({
      method: z.literal('PUT').describe('The file is sent in parts.'),
      parts: z
        .array(
          z
            .object({
              number: z.int().min(1).max(maxParts).describe('Its place in the file.'),
              bytes: z.int().min(1).max(partBytes).describe('Its exact size.'),
              url: z.url().meta({ maxLength: 4096 }).describe('The URL to PUT these bytes to.'),
            })
            .meta({ id: 'UploadPart', description: 'A part of an upload.' }),
        )
        .min(1)
        .max(maxParts)
        .describe('The parts in order, without gaps. They can be sent in any order, several at a time, and again.'),
      expiresAt: expiry(),
    })
    .meta({ id: 'UploadParts', description: `How to upload a file of more than ${megabytes(formBytes)}.` }),
);

const FileUpload = once(() =>
  z
    .object({
      fileId: id().describe('The id to pass in `productFileIds` or `avatarFileId`.'),
      url: serviceUrl().describe(
        'The address of the file as an input: every field for the URL of a file accepts it from the same account, as soon as the file is uploaded. Nothing can be downloaded there.',
      ),
      upload: z
        .union([UploadForm(), UploadParts()])
        .describe('How to upload the file: `method` says which of the two.'),
    })
    .meta({ id: 'FileUpload', description: 'A file, and how to upload it.' }),
);

const FileCompletion = once(() =>
  z
    .object({
      etags: listOf(text(1, 200), maxParts, 1).describe(
        'The `ETag` header of the response to each part, in the order of the parts.',
      ),
    })
    .meta({ id: 'FileCompletion' }),
);

const CompletedFile = once(() =>
  z
    .object({
      fileId: id().describe('The id of the file.'),
      url: serviceUrl().describe('The address of the file as an input.'),
    })
    .meta({ id: 'CompletedFile', description: 'A file that is uploaded.' }),
);

const quota = `${uploadBytesPerDay / 2 ** 30} GB`;

const fileParams = once(() => z.object({ fileId: id() }));

const exampleId = '0193a5c4-9a31-7d0f-8b52-6c7d8e9fa0b1';
const exampleUrl = `https://api.example.com${filesPath}/${exampleId}`;

export const filesContracts = {
  createFile: {
    operationId: 'createFile',
    method: 'POST',
    path: filesPath,
    tag: 'Files',
    scopes: generationScopes,
    idempotent: true,
    extension: true,
    dashboard: true,
    summary: 'Upload a file',
    description: `Creates a file of exactly the given type and size, and returns how to upload it. Up to ${megabytes(formBytes)} (\`upload.method\` is \`POST\`): POST a form to \`upload.url\` as \`multipart/form-data\`, all of \`upload.fields\` first, then the file as the last field, named \`file\`; the storage responds with 204. Larger files (\`PUT\`): PUT each part of the file to its own URL with exactly its size, keep the \`ETag\` header of each response, then call \`completeFile\`; a part that fails can be sent again. Errors of the storage are XML documents. Once the file is uploaded, its \`url\` can be used wherever an operation takes the URL of a file, by this account alone; its content is checked by the operation that uses it, as that of any other URL. A file is deleted after ${unusedFilesRetentionDays} days, or fewer if the account keeps inputs for fewer days, unless a product or an avatar uses it: that keeps the content as it is then, for as long as the account exists; ${keptBytesPerDay / 2 ** 30} GB of files can be kept so on a day (UTC). No credits are debited. The files that an account creates on a day (UTC) can declare ${quota} together. Repeating the request with the same \`Idempotency-Key\` returns the same response, even if it has expired.`,
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
    furtherLimits: {
      RATE_LIMITED: `the files that the account created today (UTC) would declare more than ${quota} together: Retry-After is the rest of the day.`,
    },
    example: {
      body: { contentType: 'video/mp4', bytes: 4_821_307 },
      data: {
        fileId: exampleId,
        url: exampleUrl,
        upload: {
          method: 'POST',
          url: 'https://s3.us-east-1.amazonaws.com/generation-service-inputs',
          fields: {
            key: `uploads/${exampleId}`,
            'Content-Type': 'video/mp4',
            Policy: 'eyJleHBpcmF0aW9uIjoi…',
            'X-Amz-Signature': '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
          },
          expiresAt: '2026-11-21T13:00:00.000Z',
        },
      },
    },
  },
  completeFile: {
    operationId: 'completeFile',
    method: 'POST',
    path: `${filesPath}/{fileId}/complete`,
    tag: 'Files',
    scopes: generationScopes,
    idempotent: false,
    repeatable: true,
    extension: true,
    dashboard: true,
    summary: 'Complete an upload in parts',
    description:
      'Puts the parts of a file together. Needed only for files whose `upload.method` is `PUT`, once all parts are sent; until then the file cannot be used. It can be repeated. Missing parts and wrong ETags are rejected with 400, and nothing is lost: send what is missing and call it again. Afterwards the content of the file cannot change.',
    get params() {
      return fileParams();
    },
    get body() {
      return FileCompletion();
    },
    success: {
      status: 200,
      get data() {
        return CompletedFile();
      },
    },
    errors: [],
    example: {
      params: { fileId: exampleId },
      body: { etags: ['"9b2cf535f27731c974343645a3985328"', '"7d793037a0760186574b0282f2f435e7"'] },
      data: { fileId: exampleId, url: exampleUrl },
    },
  },
} as const satisfies Record<string, OperationContract>;
