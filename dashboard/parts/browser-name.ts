/** Names browsers by how they describe themselves. */

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'];
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'];

/** A recognizable name for a browser, such as `Firefox, Linux`; undefined if it is unknown. */
export function browserName(userAgent: string): string | undefined {
  const browser = browsers.find((name) => userAgent.includes(`${name}/`));
  const system = systems.find((name) => userAgent.includes(name));
  const known = [browser && (names[browser] ?? browser), system].filter((part) => part !== undefined);
  return known.length > 0 ? known.join(', ') : undefined;
}
