/** Renders the Markdown of descriptions as HTML: headings, paragraphs, lists, tables, code and bold text only. */

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export const inline = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');

const cellsOf = (row: string): string[] =>
  row
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function table([head = '', , ...rows]: readonly string[]): string {
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(cellsOf(row), 'td')).join('');
  return `<div class="wide"><table><thead>${line(cellsOf(head), 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

/** A line that does not begin an item continues the previous one. */
const list = (block: string): string =>
  `<ul>${block
    .split(/\n(?=- )/)
    .map((item) => `<li>${inline(item.replace(/^- /, '').replaceAll(/\s*\n\s*/g, ' '))}</li>`)
    .join('')}</ul>`;

function block(text: string): string {
  if (text.startsWith('## ')) {
    const [heading = '', ...rest] = text.slice(3).split('\n');
    return `<h2 id="${anchorOf(heading)}">${inline(heading)}</h2>${rest.length > 0 ? markdown(rest.join('\n')) : ''}`;
  }
  if (text.startsWith('| ')) return table(text.split('\n'));
  if (text.startsWith('- ')) return list(text);
  return `<p>${inline(text)}</p>`;
}

export const markdown = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .map(block)
    .join('\n');

/** The headings of a text, for its table of contents. */
export const headingsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
