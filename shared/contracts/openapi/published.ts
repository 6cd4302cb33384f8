/** The OpenAPI document as text: bundles contain this, not the code that generates it. */
import { publishedPrices } from '../../catalog/published-prices.ts';
import { once } from '../once.ts';
import { openapi } from './openapi.ts';

/** Placeholders for values of the deployment. */
export const placeholders = { serverUrl: 'https://server.invalid', version: '0.0.0-version' } as const;

export const openapiText = once((): string => JSON.stringify(openapi({ ...placeholders, prices: publishedPrices })));
