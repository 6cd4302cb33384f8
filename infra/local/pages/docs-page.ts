/** Serves a page to read the API's documentation: a viewer from an installed package, without third parties. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Generation Service API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/index.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/show.js"></script>
  </body>
</html>
`;

/** Reading only: nothing can be called from the page, and no token can be typed into it. */
const showScript = `const nothing = () => () => null;

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  validatorUrl: null,
  supportedSubmitMethods: [],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  defaultModelRendering: 'model',
  plugins: [() => ({ wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } })],
});
`;

interface Content {
  readonly type: string;
  read(): Promise<string | Buffer>;
}

const written = (type: string, text: string): Content => ({ type, read: async () => text });

const require = createRequire(import.meta.url);
const viewerDirectory = dirname(require.resolve('swagger-ui-dist/package.json'));

const packaged = (type: string, name: string): [string, Content] => [
  `/docs/${name}`,
  { type, read: () => readFile(join(viewerDirectory, name)) },
];

const contents = new Map<string, Content>([
  ['/docs', written('text/html; charset=utf-8', page)],
  ['/docs/show.js', written('text/javascript; charset=utf-8', showScript)],
  packaged('text/javascript; charset=utf-8', 'swagger-ui-bundle.js'),
  packaged('text/css; charset=utf-8', 'swagger-ui.css'),
  packaged('text/css; charset=utf-8', 'index.css'),
  packaged('image/png', 'favicon-32x32.png'),
]);

/** The viewer's style sheet has its pictures in data addresses. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsPage: GatewayPage = async (request, response) => {
  const content = contents.get(request.url?.split('?')[0] ?? '');
  if (!content) return false;
  const body = await content.read();
  response.writeHead(200, {
    'Content-Type': content.type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  response.end(body);
  return true;
};
