/** Parses request parameters, which are forms with brackets: `line_items[0][price_data][currency]=brl`. */

export interface Parameters {
  readonly [name: string]: Parameter;
}
export type Parameter = string | readonly Parameter[] | Parameters;

interface Branch {
  [name: string]: string | Branch;
}

const namesIn = (key: string): string[] => key.split('[').map((name) => name.replace(/\]$/, ''));

function plant(tree: Branch, names: readonly string[], value: string): void {
  const [name = '', ...others] = names;
  const key = name === '' ? String(Object.keys(tree).length) : name;
  if (others.length === 0) {
    tree[key] = value;
    return;
  }
  const branch = tree[key];
  const next = typeof branch === 'object' ? branch : {};
  tree[key] = next;
  plant(next, others, value);
}

/** Converts a branch whose names are all numbers to a list. */
function grown(branch: string | Branch): Parameter {
  if (typeof branch === 'string') return branch;
  const names = Object.keys(branch);
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return Object.values(branch).map(grown);
  return Object.fromEntries(Object.entries(branch).map(([name, value]) => [name, grown(value)]));
}

export function readParameters(form: URLSearchParams): Parameters {
  const tree: Branch = Object.create(null) as Branch;
  for (const [key, value] of form) plant(tree, namesIn(key), value);
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, grown(value)]));
}

/** The name of a parameter as it is written in requests. */
export const parameterNamed = (path: readonly PropertyKey[]): string =>
  path.map((name, index) => (index === 0 ? String(name) : `[${String(name)}]`)).join('');
