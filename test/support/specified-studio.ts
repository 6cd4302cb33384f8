/** The operations of files and the Studio, typed from the specification's text and never derived from the code. */
import { authenticated, readOnly } from './specified-operation.ts';

const paging = {
  limit: { kind: 'query integer', from: 1, to: 100, byDefault: 20 },
  offset: { kind: 'query integer', from: 0, to: 10_000, byDefault: 0 },
} as const;

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
      // The specification sets no lengths for these: they are the service's own, as is that of `gender`.
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
    query: paging,
    data: {
      products: 'array',
      'products[].id': 'string',
      'products[].title': 'string',
      'products[].description': 'string',
      'products[].images': 'array',
      'products[].images[].url': 'string',
      'products[].createdAt': 'string',
      limit: 'integer',
      offset: 'integer',
    },
  },
  createStudioAvatar: {
    ...creation,
    path: '/api/v1/studio/avatars',
    body: {
      name: { kind: 'text', from: 1, to: 120, required: true },
      imageUrl: { kind: 'url' },
      avatarFileId: { kind: 'text', from: 1, to: 200 },
      gender: { kind: 'text', from: 0, to: 100 },
      type: { kind: 'one of', values: ['preset', 'custom'] },
      sourceInfluencerId: { kind: 'text', from: 1, to: 200 },
    },
    data: { id: 'string', name: 'string' },
  },
  createFile: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/files',
    scopes: ['generate:image', 'generate:video'],
    success: 201,
    idempotent: true,
    extension: true,
    errors: { ...authenticated, IDEMPOTENCY_CONFLICT: 409 },
    body: {
      contentType: { kind: 'one of', values: ['image/jpeg', 'image/png', 'image/webp'], required: true },
      bytes: { kind: 'integer', from: 1, to: 10_485_760, required: true },
    },
    data: {
      fileId: 'string',
      upload: 'object',
      'upload.url': 'string',
      'upload.fields': 'object',
      'upload.expiresAt': 'string',
    },
  },
} as const;
