/** Serves the API's OpenAPI document, which names the very server that is asked. */
import type { IncomingMessage } from 'node:http';
import { defaultPrices } from '../../../shared/catalog/prices.ts';
import { openapi } from '../../../shared/contracts/openapi/openapi.ts';
import type { ReferenceDocument } from '../../../shared/contracts/openapi/reference/document.ts';
import { settingsOf } from '../../../shared/platform/settings.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';
import { sendDocument } from './send-document.ts';

/** Its server is not the one of the Host header: whoever asks must not choose what the document says. */
export function openapiOf({ socket }: IncomingMessage): ReferenceDocument {
  const { version } = settingsOf(process.env);
  const serverUrl = `http://127.0.0.1:${socket.localPort}`;
  return openapi({ serverUrl, version, prices: defaultPrices }) as ReferenceDocument;
}

export const openapiPage: GatewayPage = async (request, response, requestId) => {
  if (request.method !== 'GET' || request.url?.split('?')[0] !== '/openapi.json') return false;
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  sendDocument(response, requestId, JSON.stringify(openapiOf(request)), headers);
  return true;
};
