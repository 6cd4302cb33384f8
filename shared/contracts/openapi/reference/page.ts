/** The reference page: one HTML document without scripts, rendered from the OpenAPI document. */
import type { Operation, ReferenceDocument } from './document.ts';
import { anchorOf, escaped, headingsOf, inline, markdown } from './markdown.ts';
import { operationSection, webhookRules, webhookSection } from './operation.ts';
import { style } from './style.ts';

const link = (anchor: string, text: string): string => `<li><a href="#${anchor}">${escaped(text)}</a></li>`;
const group = (title: string, links: readonly string[]): string =>
  `<h2>${escaped(title)}</h2><ul>${links.join('')}</ul>`;

interface Located {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const operationsOf = ({ paths }: ReferenceDocument): readonly Located[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );

function navigation(document: ReferenceDocument, operations: readonly Located[]): string {
  const ofTag = (name: string) => operations.filter(({ operation }) => operation.tags?.includes(name));
  const groups = [
    group(
      'Guide',
      headingsOf(document.info.description).map((heading) => link(anchorOf(heading), heading)),
    ),
    ...document.tags.map(({ name }) =>
      group(
        name,
        ofTag(name).map(({ operation }) => link(operation.operationId, operation.summary)),
      ),
    ),
    group('Webhooks', [
      link('receive-webhooks', 'Receive webhooks'),
      link('verify-webhooks', 'Verify a webhook'),
      ...Object.values(document.webhooks).map(({ post }) => link(post.operationId, post.summary)),
    ]),
  ];
  return groups.join('\n');
}

function webhooks({ webhooks: all, ...document }: ReferenceDocument): string {
  const [first] = Object.values(all);
  const sections = Object.entries(all).map(([name, { post }]) =>
    webhookSection({ ...document, webhooks: all }, name, post),
  );
  return `<h2 id="receive-webhooks">Receive webhooks</h2>${first ? webhookRules(first.post) : ''}${sections.join('\n')}`;
}

/** Renders the page. The same document gives the same page, byte for byte. */
export function referencePage(document: ReferenceDocument): string {
  const { info, servers, tags } = document;
  const operations = operationsOf(document);
  const tagged = tags.map(({ name, description }) => {
    const sections = operations.filter(({ operation }) => operation.tags?.includes(name));
    const title = `<h2 id="tag-${anchorOf(name)}">${escaped(name)}</h2><p>${inline(description)}</p>`;
    return `${title}${sections.map((located) => operationSection(document, located)).join('\n')}`;
  });
  const contents = navigation(document, operations);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<nav aria-label="Contents"><p class="title"><a href="#top">${escaped(info.title)}</a></p>
<details class="menu"><summary>Contents</summary>${contents}</details>
<div class="contents">${contents}</div>
</nav>
<main id="top">
<h1>${escaped(info.title)} <small>${escaped(info.version)}</small></h1>
<p>Base URL: <code>${escaped(servers[0]?.url ?? '')}</code> · <a href="openapi.json">OpenAPI document</a> · <a href=".well-known/webhook-keys.json">Webhook keys</a></p>
${markdown(info.description)}
${tagged.join('\n')}
${webhooks(document)}
</main>
</body>
</html>
`;
}
