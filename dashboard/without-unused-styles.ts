/** Removes the styles of components that no page uses: the component library has one style sheet for all of them. */
import { parse } from 'postcss';
import type { Plugin } from 'vite';

/** The classes of the component library; all others are the dashboard's own. */
const libraryClasses = /\.(m_[0-9a-f]+)/g;

/** The style sheet without rules for classes of the library that the code does not contain. */
export function unusedStylesRemoved(styles: string, code: string): string {
  const root = parse(styles);
  const isUsed = (selector: string): boolean =>
    [...selector.matchAll(libraryClasses)].every(([, name = '']) => code.includes(name));
  root.walkRules((rule) => {
    const used = rule.selectors.filter(isUsed);
    if (used.length === 0) rule.remove();
    else rule.selectors = used;
  });
  root.walkAtRules(/^(media|supports)$/, (rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  return root.toString();
}

export const withoutUnusedStyles = (): Plugin => ({
  name: 'without-unused-styles',
  apply: 'build',
  generateBundle(_, bundle) {
    const parts = Object.values(bundle);
    const code = parts.map((part) => (part.type === 'chunk' ? part.code : '')).join('\n');
    for (const part of parts) {
      if (part.type === 'asset' && part.fileName.endsWith('.css'))
        part.source = unusedStylesRemoved(String(part.source), code);
    }
  },
});
