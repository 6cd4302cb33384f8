import { publish } from '../../shared/contracts/openapi/publish.ts';
import { openapiText } from '../../shared/contracts/openapi/published.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

/** Returns the contract of the API as an OpenAPI 3.1 document. */
export const getOpenapi: Document = async ({ settings }) => ({ body: publish(openapiText(), settings) });

export const definition = documentLambda('getOpenapi', getOpenapi);
