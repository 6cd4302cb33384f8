/** Links between pages. They are relative, because a stage may serve the site below a path of its own. */
import { posix } from 'node:path';
import { documentRoutes } from '../../shared/contracts/documents.ts';

const root = documentRoutes.getDocs.path.slice(1);

/** Where a page or file is served: `docs/reference/getTask`; a path may leave the site, as `../openapi.json` does. */
const placeOf = (path: string): string => posix.join(root, path);

/** The relative link from a page to a page or file. */
export function relativeLink(fromPath: string, toPath: string): string {
  const [path = '', anchor] = toPath.split('#');
  const [from, to] = [placeOf(fromPath), placeOf(path)];
  const link = posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to));
  return anchor === undefined ? link : `${link}#${anchor}`;
}

const internalLink = /\]\(\/([^)]*)\)/g;
const image = /!\[([^\]]*)\]\(\/media\/[^)]*\)/g;

/** Makes the links of a Markdown text absolute, to the Markdown version of each page, and describes its pictures. */
export const absoluteLinks = (text: string, docsUrl: string): string =>
  text.replaceAll(image, '*$1*').replaceAll(internalLink, (_, target: string) => {
    if (target.startsWith('../')) return `](${docsUrl.slice(0, docsUrl.lastIndexOf('/'))}/${target.slice(3)})`;
    const [path = '', anchor] = target.split('#');
    return `](${docsUrl}/${markdownFile(path)}${anchor === undefined ? '' : `#${anchor}`})`;
  });

/** The file with the Markdown version of a page; other files have none. */
export const markdownFile = (path: string): string => (path.includes('.') ? path : `${path || 'index'}.md`);
