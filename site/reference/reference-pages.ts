/** The pages of the reference: an index, a page for each operation, and one for each webhook. */
import type { GeneratedPage } from '../page/site-page.ts';
import { blocks, fencedJson, markdownTable, quoted } from './markdown-text.ts';
import type { Operation, ReferenceDocument } from './openapi-document.ts';
import { bodyFields, type Located, operationPage, parameterTables, samplesOf } from './operation-page.ts';

const operationsOf = ({ paths }: ReferenceDocument): readonly Located[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );

const webhookSection = 'Webhooks';

function webhookPage(document: ReferenceDocument, name: string, operation: Operation): GeneratedPage {
  const content = operation.requestBody?.content;
  return {
    path: `reference/${operation.operationId}`,
    title: operation.summary,
    description: `The webhook ${name}: its body and its headers.`,
    section: webhookSection,
    text: blocks(
      `# ${operation.summary}`,
      `The webhook ${quoted(name)}, a POST to the \`callbackUrl\` of the task. [How to receive webhooks](/webhooks).`,
      '## Request',
      parameterTables(document, operation),
      content && bodyFields(document, content),
    ),
    aside: blocks(
      content && blocks('## Example', fencedJson(content['application/json'].example)),
      '## Verify it',
      samplesOf(operation['x-codeSamples']),
    ),
  };
}

function indexPage(document: ReferenceDocument, operations: readonly Located[]): GeneratedPage {
  const { servers, tags, webhooks } = document;
  const rowsOf = (tag: string) =>
    operations
      .filter(({ operation }) => operation.tags?.includes(tag))
      .map(({ method, path, operation: { operationId, summary } }) => [
        `[${summary}](/reference/${operationId})`,
        quoted(`${method.toUpperCase()} ${path}`),
      ]);
  return {
    path: 'reference',
    title: 'API reference',
    description: 'Every operation and webhook of the API.',
    section: '',
    text: blocks(
      '# API reference',
      `The server is ${quoted(servers[0]?.url ?? '')}. Everything here is generated from its [OpenAPI document](/../openapi.json).`,
      ...tags.map(({ name, description }) =>
        blocks(`## ${name}`, description, markdownTable(['Operation', 'Request'], rowsOf(name))),
      ),
      `## ${webhookSection}`,
      markdownTable(
        ['Webhook', 'Event'],
        Object.entries(webhooks).map(([name, { post }]) => [
          `[${post.summary}](/reference/${post.operationId})`,
          quoted(name),
        ]),
      ),
    ),
  };
}

export function referencePages(document: ReferenceDocument): readonly GeneratedPage[] {
  const operations = operationsOf(document);
  const byTag = document.tags.flatMap(({ name }) =>
    operations.filter(({ operation }) => operation.tags?.includes(name)),
  );
  return [
    indexPage(document, operations),
    ...byTag.map((located) => operationPage(document, located)),
    ...Object.entries(document.webhooks).map(([name, { post }]) => webhookPage(document, name, post)),
  ];
}
