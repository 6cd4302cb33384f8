/** The OpenAPI document and its reference page as texts: bundles contain these, not the code that renders them. */
import { publishedPrices } from '../../catalog/published-prices.ts';
import { once } from '../once.ts';
import { openapi } from './openapi.ts';
import type { ReferenceDocument } from './reference/document.ts';
import { referencePage } from './reference/page.ts';

/** Placeholders for values of the deployment. */
export const placeholders = { serverUrl: 'https://server.invalid', version: '0.0.0-version' } as const;

const document = once(() => openapi({ ...placeholders, prices: publishedPrices }) as ReferenceDocument);

export const openapiText = once((): string => JSON.stringify(document()));

export const referenceText = once((): string => referencePage(document()));
