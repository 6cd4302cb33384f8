/** Builds the documentation site: guides and reference as static files. The same sources give the same files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documentRoutes } from '../shared/contracts/documents.ts';
import { openapiText, placeholders } from '../shared/contracts/openapi/published.ts';
import { bundleScript } from './bundle-script.ts';
import { llmsFiles } from './llms-files.ts';
import { htmlPages, markdownPages } from './pages.ts';
import type { ReferenceDocument } from './reference/openapi-document.ts';
import { searchIndex } from './search-index.ts';

const browser = join(import.meta.dirname, 'browser');

/** Builds all files into a folder. Values of the deployment are placeholders in them, which the service fills in. */
export async function buildSite(folder: string): Promise<void> {
  const document = JSON.parse(openapiText()) as ReferenceDocument;
  const docsUrl = placeholders.serverUrl + documentRoutes.getDocs.path;
  const pages = await htmlPages(document);
  const texts = await markdownPages(document, docsUrl);
  const assets = join(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  await bundleScript(join(browser, 'site.ts'), assets);
  const files = [
    ...pages,
    ...texts,
    ...llmsFiles(texts, docsUrl),
    { file: 'assets/style.css', content: readFileSync(join(browser, 'style.css'), 'utf8') },
    { file: 'assets/search-index.json', content: searchIndex(pages) },
  ];
  for (const { file, content } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}
