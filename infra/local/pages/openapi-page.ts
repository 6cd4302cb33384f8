/** Serves the API's OpenAPI document, which names the very server that is asked. */
import { defaultPrices } from '../../../shared/catalog/prices.ts';
import { openapi } from '../../../shared/contracts/openapi/openapi.ts';
import { settingsOf } from '../../../shared/platform/settings.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';

const path = '/openapi.json';

export const openapiPage = (): GatewayPage => {
  const texts = new Map<string, string>();

  const textFor = (serverUrl: string): string => {
    const { version } = settingsOf(process.env);
    const text = texts.get(serverUrl) ?? JSON.stringify(openapi({ serverUrl, version, prices: defaultPrices }));
    texts.set(serverUrl, text);
    return text;
  };

  return async (request, response) => {
    if (request.url?.split('?')[0] !== path) return false;
    // Not from the Host header: whoever asks must not choose what the document says.
    const text = textFor(`http://127.0.0.1:${request.socket.localPort}`);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(text);
    return true;
  };
};
