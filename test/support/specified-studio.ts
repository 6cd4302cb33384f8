/** The operations of files and the Studio, typed from the specification's text and never derived from the code. */
import { authenticated, fields, pagedBy, readOnly, words } from './specified-operation.ts';

const creation = {
  ...readOnly,
  feature: 'studio',
  method: 'POST',
  scopes: ['generate:video'],
  idempotent: true,
  errors: { ...authenticated, IDEMPOTENCY_CONFLICT: 409, GENERATION_FAILED: 502, FEATURE_DISABLED: 503 },
} as const;

export const specifiedStudio = {
  createStudioProduct: {
    ...creation,
    path: '/api/v1/studio/products',
    body: {
      images: { kind: 'product images', from: 1, to: 6 },
      productFileIds: { kind: 'file ids', from: 1, to: 6, longest: 200 },
      // The specification has no maximum length for these fields, nor for `gender`: the limits are the service's own.
      title: { kind: 'text', from: 1, to: 200 },
      description: { kind: 'text', from: 1, to: 5000 },
    },
    data: { id: 'string', title: 'string', description: 'string' },
  },
  listStudioProducts: {
    ...readOnly,
    path: '/api/v1/studio/products',
    scopes: ['generate:video'],
    errors: authenticated,
    ...pagedBy('sortable id'),
    data: fields(`
      products: array, products[].id products[].title products[].description, products[].images: array,
      products[].images[].url products[].createdAt, limit offset: integer
    `),
  },
  createStudioAvatar: {
    ...creation,
    path: '/api/v1/studio/avatars',
    extensions: ['likenessconsent'],
    body: {
      name: { kind: 'text', from: 1, to: 120, required: true },
      imageUrl: { kind: 'url' },
      avatarFileId: { kind: 'text', from: 1, to: 200 },
      gender: { kind: 'text', from: 0, to: 100 },
      type: { kind: 'one of', values: ['preset', 'custom'] },
      sourceInfluencerId: { kind: 'text', from: 1, to: 200 },
      likenessConsent: { kind: 'boolean' },
    },
    data: { id: 'string', name: 'string' },
  },
  createFile: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/files',
    scopes: ['generate:image', 'generate:video', 'generate:audio'],
    success: 201,
    idempotent: true,
    extension: true,
    errors: { ...authenticated, IDEMPOTENCY_CONFLICT: 409 },
    body: {
      contentType: {
        kind: 'one of',
        values: words(`
          image/jpeg image/png image/webp audio/mpeg audio/wav audio/mp4 audio/ogg audio/flac audio/webm
          audio/x-matroska video/mp4 video/quicktime video/webm video/x-matroska
        `),
        required: true,
      },
      bytes: { kind: 'integer', from: 1, to: 2_147_483_648, required: true },
    },
    data: fields(`
      fileId url, upload: object|object, upload.method upload.url, upload.fields: object, upload.parts: array,
      upload.parts[].number upload.parts[].bytes: integer, upload.parts[].url upload.expiresAt
    `),
  },
  completeFile: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/files/{fileId}/complete',
    scopes: ['generate:image', 'generate:video', 'generate:audio'],
    extension: true,
    errors: { ...authenticated, NOT_FOUND: 404 },
    params: { fileId: { kind: 'file id', required: true } },
    body: { etags: { kind: 'texts', from: 1, to: 32, longest: 200, required: true } },
    data: { fileId: 'string', url: 'string' },
  },
} as const;
