/** The Studio's resources: products that videos advertise, and avatars that present them. */
import * as z from 'zod';
import {
  atLeastOneOf,
  id,
  idOf,
  isUnique,
  listOf,
  oneOf,
  page,
  paging,
  serviceUrl,
  shortText,
  text,
  timestamp,
} from './fields.ts';
import { consentField } from './likeness-consent.ts';
import { describedProductsPerDay, keptBytesPerDay } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { imageUrl } from './url-fields.ts';

/** The most images of a product, URLs and files together. */
const maxImages = 6;

/** The longest title and description, whether provided or generated; the specification sets no limit. */
const titleLength = 200;
const descriptionLength = 5000;
/** The longest image role and avatar gender; the specification sets no limit. */
const wordsLength = 100;

const productImage = () =>
  z.union(
    [
      imageUrl(),
      z.object({
        url: imageUrl().describe('The URL of the image.'),
        role: text(0, wordsLength)
          .optional()
          .describe(`What the image shows, in your own words, at most ${wordsLength} characters.`),
      }),
    ],
    { error: 'must be an https URL of a public host, or an object with such a `url` and an optional `role`' },
  );

const fileIds = () =>
  listOf(text(1, 200), maxImages, 1)
    .refine(isUnique, { error: 'must be a list of unique file ids' })
    .meta({ uniqueItems: true });

const ProductRequest = once(() =>
  atLeastOneOf(
    z.object({
      images: listOf(productImage(), maxImages, 1)
        .optional()
        .describe(
          'Images that are already hosted, each as an https URL of a public host, or as an object with `url` and optional `role`.',
        ),
      productFileIds: fileIds()
        .optional()
        .describe('Uploaded images: each `fileId` that `createFile` returned, without duplicates.'),
      title: text(1, titleLength)
        .optional()
        .describe(`The title, at most ${titleLength} characters; if omitted, it is generated from the images.`),
      description: text(1, descriptionLength)
        .optional()
        .describe(
          `The description, at most ${descriptionLength} characters; if omitted, it is generated from the images.`,
        ),
    }),
    ['images', 'productFileIds'],
  )
    .refine(({ images = [], productFileIds = [] }) => images.length + productFileIds.length <= maxImages, {
      error: `images and productFileIds must have at most ${maxImages} items in total`,
    })
    .meta({
      id: 'StudioProductRequest',
      description: `At least one of \`images\` and \`productFileIds\` is required, with at most ${maxImages} items in total.`,
    }),
);

const texts = {
  title: () => shortText(titleLength).describe('The title, as given or as generated from the images.'),
  description: () =>
    shortText(descriptionLength).describe('The description, as given or as generated from the images.'),
};

const CreatedProduct = once(() =>
  z
    .object({
      id: id().describe('The `productId` for Studio videos.'),
      title: texts.title(),
      description: texts.description(),
    })
    .meta({ id: 'CreatedStudioProduct', description: 'The product that was created.' }),
);

const Product = once(() =>
  z
    .object({
      id: id().describe('The `productId` for Studio videos.'),
      title: texts.title(),
      description: texts.description(),
      images: z
        .array(
          z.object({
            url: serviceUrl().describe('The URL that was given, or the permanent URL of the uploaded file.'),
          }),
        )
        .max(maxImages)
        .describe('The images given by URL, then the uploaded ones.'),
      createdAt: timestamp().describe('When the product was created.'),
    })
    .meta({ id: 'StudioProduct', description: 'A product for Studio videos.' }),
);

const ProductList = once(() =>
  z
    .object({ products: z.array(Product()).max(100).describe('Newest first.'), ...page() })
    .meta({ id: 'StudioProductList', description: 'A page of products.' }),
);

const productQuery = once(() => z.object(paging(idOf('product'))));

const avatarTypes = ['preset', 'custom'] as const;

const AvatarRequest = once(() =>
  atLeastOneOf(
    z.object({
      name: text(1, 120).describe('The name to display.'),
      imageUrl: imageUrl().optional().describe('The image of the avatar: an https URL of a public host.'),
      avatarFileId: text(1, 200)
        .optional()
        .describe(
          'The image of the avatar: the `fileId` that `createFile` returned. It takes precedence over `imageUrl`.',
        ),
      gender: text(0, wordsLength)
        .optional()
        .describe(`The gender, in your own words, at most ${wordsLength} characters.`),
      type: oneOf(avatarTypes).optional().describe('Whether the avatar is a preset or a custom one.'),
      sourceInfluencerId: text(1, 200)
        .optional()
        .describe(
          'The id of the influencer that the avatar is based on. A request with the same value replaces that avatar. Whether the influencer exists is not checked.',
        ),
      ...consentField(),
    }),
    ['imageUrl', 'avatarFileId'],
  ).meta({ id: 'StudioAvatarRequest' }),
);

const Avatar = once(() =>
  z
    .object({ id: id().describe('The `avatarId` for Studio videos.'), name: shortText(120).describe('The name.') })
    .meta({ id: 'StudioAvatar', description: 'An avatar for Studio videos.' }),
);

const keptLimit = `products and avatars of the account kept ${keptBytesPerDay / 2 ** 30} GB of uploaded files today (UTC), or tried to: Retry-After is the rest of the day. A file counts again with each attempt to keep it, and images given by URL do not count.`;

/** Creates a Studio resource: free of charge, but only on plans that include the Studio. */
const creation = {
  method: 'POST',
  tag: 'Studio',
  scopes: ['generate:video'],
  feature: 'studio',
  whenSwitchedOff: 'FEATURE_DISABLED',
  idempotent: true,
  dashboard: true,
  errors: ['IDEMPOTENCY_CONFLICT', 'GENERATION_FAILED', 'FEATURE_DISABLED'],
} as const;

const exampleId = '0193a5c4-9b42-7e1a-9c63-7d8e9fa0b1c2';
const exampleProduct = {
  id: exampleId,
  title: 'Caneca de cerâmica azul',
  description: 'Caneca de cerâmica esmaltada, feita à mão, para café ou chá.',
};

export const studioContracts = {
  createStudioProduct: {
    ...creation,
    operationId: 'createStudioProduct',
    path: '/api/v1/studio/products',
    summary: 'Create a Studio product',
    description:
      'A product for Studio videos, with one to six images. If the title or the description is omitted, it is generated in Portuguese from the images; images given by URL are downloaded only in this case. If one of them cannot be used, or no text can be generated, the response is 502 GENERATION_FAILED, and nothing is created. A file that is unknown, not yet uploaded or not an image is rejected with 400. No credits are debited.',
    furtherLimits: {
      RATE_LIMITED: `the account had texts generated for ${describedProductsPerDay} products today (UTC), or tried to: Retry-After is the rest of the day. Requests with title and description, and those of test tokens, neither count nor are limited. Or: ${keptLimit}`,
    },
    get body() {
      return ProductRequest();
    },
    success: {
      status: 200,
      get data() {
        return CreatedProduct();
      },
    },
    example: {
      body: {
        images: ['https://example.com/mug.jpg', { url: 'https://example.com/mug-handle.jpg', role: 'detail' }],
        title: exampleProduct.title,
        description: exampleProduct.description,
      },
      data: exampleProduct,
    },
  },
  listStudioProducts: {
    operationId: 'listStudioProducts',
    method: 'GET',
    path: '/api/v1/studio/products',
    tag: 'Studio',
    scopes: ['generate:video'],
    idempotent: false,
    dashboard: true,
    summary: 'List Studio products',
    description:
      'The products of the account, newest first. A product is listed as soon as it has been created. Products can be listed even if the plan does not include the Studio.',
    get query() {
      return productQuery();
    },
    success: {
      status: 200,
      rows: 'products',
      get data() {
        return ProductList();
      },
    },
    errors: [],
    example: {
      data: {
        products: [
          {
            ...exampleProduct,
            images: [{ url: 'https://example.com/mug.jpg' }, { url: 'https://example.com/mug-handle.jpg' }],
            createdAt: '2026-11-21T12:00:00.000Z',
          },
        ],
        limit: 20,
        offset: 0,
      },
    },
  },
  createStudioAvatar: {
    ...creation,
    operationId: 'createStudioAvatar',
    usesLikeness: 'always',
    path: '/api/v1/studio/avatars',
    summary: 'Create a Studio avatar',
    description:
      'An avatar for Studio videos. If the account already has an avatar with the same `sourceInfluencerId`, that avatar is replaced and keeps its id. The image at `imageUrl` is downloaded only when a video uses the avatar. An `avatarFileId` must be the id of an uploaded image. No credits are debited. 502 GENERATION_FAILED means that the file could not be stored.',
    furtherLimits: { RATE_LIMITED: keptLimit },
    get body() {
      return AvatarRequest();
    },
    success: {
      status: 200,
      get data() {
        return Avatar();
      },
    },
    example: {
      body: { name: 'Ana', imageUrl: 'https://example.com/ana.jpg', gender: 'feminino', type: 'custom' },
      data: { id: exampleId, name: 'Ana' },
    },
  },
} as const satisfies Record<string, OperationContract>;
