/** Removes descriptions for API documentation from contracts, because the pages show none of them. */
import { type Plugin, parseAst } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const nameIn = (value: unknown): unknown => (isNode(value) && 'name' in value ? value.name : undefined);

const proseNames: readonly unknown[] = ['description', 'summary'];

/** Whether a value is a literal text; request fields may have the same names, but their values are schemas. */
const isText = (value: unknown): boolean => isNode(value) && /^(Literal|TemplateLiteral)$/.test(value.type);

type Edit = readonly [start: number, end: number, replacement: string];

/** `schema.describe('…')` becomes `schema`, and descriptions of operations become empty. */
function editOf(node: Node): Edit | undefined {
  if (node.type === 'CallExpression' && 'callee' in node && isNode(node.callee)) {
    const { callee } = node;
    if ('property' in callee && 'object' in callee && nameIn(callee.property) === 'describe' && isNode(callee.object))
      return [callee.object.end, node.end, ''];
  }
  if (node.type === 'Property' && 'key' in node && 'value' in node && proseNames.includes(nameIn(node.key)))
    return isText(node.value) ? [node.start, node.end, `${String(nameIn(node.key))}: ''`] : undefined;
  return undefined;
}

function editsIn(value: unknown): Edit[] {
  if (Array.isArray(value)) return value.flatMap(editsIn);
  if (!isNode(value)) return [];
  const edit = editOf(value);
  // Descriptions may be computed, and described schemas may themselves contain descriptions.
  const within = Object.values(value).flatMap(editsIn);
  return edit ? [edit, ...within.filter(([start]) => start < edit[0])] : within;
}

/** The code of a module with contracts, without descriptions. */
export function proseRemoved(code: string): string {
  const edits = editsIn(parseAst(code).body).toSorted(([one], [other]) => other - one);
  return edits.reduce((text, [start, end, kept]) => text.slice(0, start) + kept + text.slice(end), code);
}

export const withoutProse = (): Plugin => ({
  name: 'without-prose',
  enforce: 'post',
  apply: 'build',
  transform: { filter: { id: /\/shared\/contracts\/[^?]*\.ts$/ }, handler: proseRemoved },
});
