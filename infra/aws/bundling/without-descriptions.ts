/** Leaves out of bundles what only the published document needs of the contracts: descriptions, summaries and names. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { type CallExpression, type ObjectExpression, type ObjectProperty, parseSync, Visitor } from 'oxc-parser';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of `.describe(…)` or `.meta(…)` at the end of a schema. */
function annotationIn({ callee, end }: CallExpression): Span | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const isAnnotation = callee.property.name === 'describe' || callee.property.name === 'meta';
  return isAnnotation ? { start: callee.object.end, end } : undefined;
}

const nameOf = ({ key }: ObjectProperty): string | undefined => (key.type === 'Identifier' ? key.name : undefined);

/** The texts of an operation, of which some are added by functions. */
function textsIn({ properties }: ObjectExpression): readonly Span[] {
  const named = properties.filter((property) => property.type === 'Property');
  const isOperation = named.some((property) => nameOf(property) === 'operationId');
  const texts = isOperation ? ['description', 'summary', 'furtherLimits'] : ['furtherLimits'];
  return named.filter((property) => texts.includes(nameOf(property) ?? ''));
}

/** The module without its descriptions, in which every line has the same number as before. @throws {Error} */
export function withoutDescriptionsIn(path: string, text: string): string {
  const { errors, program } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const spans: Span[] = [];
  const visitor = new Visitor({
    CallExpression(call) {
      const annotation = annotationIn(call);
      if (annotation) spans.push(annotation);
    },
    ObjectExpression(object) {
      spans.push(...textsIn(object).map(({ start, end }) => ({ start, end: text[end] === ',' ? end + 1 : end })));
    },
  });
  visitor.visit(program);
  let shortened = '';
  let at = 0;
  for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
    if (end <= at) continue;
    shortened += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, '');
    at = end;
  }
  return shortened + text.slice(at);
}

export const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup(bundling) {
    bundling.onLoad({ filter: /shared[\\/]contracts[\\/][\w-]+\.ts$/ }, async ({ path }) => ({
      contents: withoutDescriptionsIn(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
