/** A browser with the features that log-ins need: cookies by site, redirects, links and forms. */

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Every URL that was visited on the way, including the last one. */
  readonly trail: readonly string[];
}

export interface TestBrowser {
  /** Follows redirects to a page, or until the next URL begins with `until`, which is then not visited. */
  visit(url: string, options?: { readonly until?: string; readonly headers?: Record<string, string> }): Promise<Page>;
  submit(url: string, form: Readonly<Record<string, string>>, options?: { readonly until?: string }): Promise<Page>;
  cookie(url: string, name: string): string | undefined;
  setCookie(url: string, name: string, value: string): void;
  /** The `Cookie` header for a URL. */
  header(url: string): string;
}

const hops = 12;

export function testBrowser(): TestBrowser {
  const jar = new Map<string, Map<string, string>>();
  // Cookies do not distinguish ports.
  const cookiesOf = (url: string): Map<string, string> => {
    const { hostname } = new URL(url);
    const found = jar.get(hostname) ?? new Map<string, string>();
    jar.set(hostname, found);
    return found;
  };
  const header = (url: string) => [...cookiesOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  const keep = (url: string, response: Response): void => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const isGone = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.*1970/i.test(one));
      if (isGone) cookiesOf(url).delete(name);
      else cookiesOf(url).set(name, value);
    }
  };

  async function go(first: string, init: RequestInit, until: string | undefined): Promise<Page> {
    const trail: string[] = [];
    let [url, next] = [first, init];
    for (let count = 0; count < hops; count += 1) {
      trail.push(url);
      if (count > 0 && until && url.startsWith(until)) return { url, status: 0, text: '', trail };
      const cookie = header(url);
      const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
      const response = await fetch(url, { ...next, headers, redirect: 'manual' });
      keep(url, response);
      const location = response.headers.get('location');
      const text = await response.text();
      if (!location) return { url, status: response.status, text, trail };
      url = new URL(location, url).href;
      next = {};
    }
    throw new Error(`too many redirects from ${first}`);
  }

  return {
    visit: (url, { until, headers } = {}) => go(url, { ...(headers && { headers }) }, until),
    submit: (url, form, { until } = {}) => go(url, { method: 'POST', body: new URLSearchParams(form) }, until),
    cookie: (url, name) => cookiesOf(url).get(name),
    setCookie: (url, name, value) => {
      cookiesOf(url).set(name, value);
    },
    header,
  };
}
