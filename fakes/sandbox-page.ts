/** Renders the pages of the sandboxes: a page is data, and only this module writes HTML, escaping every text. */
import { type EventDelivery, eventDeliveries } from './event-sender.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  /**
   * The type of the input. Default: a select if there are options, otherwise text. With `checkbox` and `radio`, each
   * option is a choice.
   */
  readonly type?: 'checkbox' | 'email' | 'number' | 'radio' | 'text' | 'textarea';
  /** The value of the field; if it has options, the selected one. */
  readonly value?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
}

export interface Entry {
  readonly what: string;
  readonly link?: string;
  readonly status?: string;
  readonly detail: string;
}

export interface SandboxPage {
  readonly title: string;
  /** The problem with the last request. */
  readonly alert?: string | undefined;
  readonly status?: string;
  readonly image?: string;
  readonly facts?: readonly (readonly [name: string, value: string])[];
  /** A text to copy. */
  readonly code?: readonly [label: string, text: string];
  /** The fields of the form, above its buttons. */
  readonly fields?: readonly Field[];
  readonly lists?: readonly (readonly [title: string, entries: readonly Entry[]])[];
  readonly links?: readonly (readonly [href: string, label: string])[];
}

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | false | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (part === undefined || part === false) return '';
  return typeof part === 'object' ? part.map(textOf).join('\n') : escaped(String(part));
}

/** A template for markup that escapes every value except markup. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...parts.map(textOf)));

const style = new Markup(`
  * { box-sizing: border-box; } body { max-width: 44rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: #16202e; background: #eef1f5; overflow-wrap: anywhere; }
  header, small, dt { color: #51606f; font-size: .875rem; } h1 { font-size: 1.35rem; margin: .5rem 0; } h2 { font-size: 1rem; margin: 0; } a { color: #0a55b0; }
  section { background: #fff; border-radius: 12px; padding: 1.25rem; margin: 1rem 0; display: grid; gap: .9rem; } section > * { margin: 0; min-width: 0; }
  form, fieldset { display: grid; gap: .75rem; border: 0; margin: 0; padding: 0; min-width: 0; } label { display: grid; gap: .25rem; }
  input, select, textarea, button { font: inherit; color: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid #7c8a99; border-radius: 8px; background: #fff; }
  fieldset label { display: flex; gap: .6rem; align-items: center; } fieldset input { width: 1.2rem; min-height: 1.2rem; flex: none; }
  .buttons { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .5rem; } button { cursor: pointer; }
  .buttons :first-child, form[method=post] > button { background: #0b6b4f; border-color: #0b6b4f; color: #fff; font-weight: 600; } :focus-visible { outline: 3px solid #1a6fe0; outline-offset: 2px; }
  #status { justify-self: start; padding: 0 .75rem; border: 1px solid; border-radius: 1rem; font-weight: 600; } [role=alert] { border-left: 4px solid #a3231b; padding: .5rem .75rem; background: #fcefee; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; } dd { margin: 0; text-align: right; } img { max-width: min(100%, 14rem); image-rendering: pixelated; }
  ul { list-style: none; padding: 0; } li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .6rem 0; border-top: 1px solid #d5dbe3; white-space: pre-line; } li small { grid-column: 1 / -1; }`);

/** Replaces statuses and lists with current ones from the server, so that changes are visible. */
const script = new Markup(`
  const refresh = async () => {
    const now = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html').querySelectorAll('.live');
    document.querySelectorAll('.live').forEach((part, index) => {
      if (now[index] && now[index].innerHTML !== part.innerHTML) part.innerHTML = now[index].innerHTML;
    });
  };
  addEventListener('load', () => setInterval(() => refresh().catch(() => undefined), 1000));`);

/**
 * A document in the style of all sandboxes. `standIn` names the real service that the sandbox replaces, and `promise`
 * says what never happens in it.
 */
export const documentOf = (title: string, standIn: string, promise: string, content: Markup): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><header>Sandbox: ${promise}. This page stands in for ${standIn}.</header><main>
${content}</main></body></html>`.text;

function fieldIn({ name, label, type, value = '', options }: Field): Markup {
  const mark = (word: string, option: string) => option === value && new Markup(` ${word}`);
  if (type === 'radio' || type === 'checkbox')
    return html`<fieldset><legend>${label}</legend>${options?.map(([option, text]) => html`<label><input type="${type}" name="${name}" value="${option}"${mark('checked', option)}><span>${text}</span></label>`)}</fieldset>`;
  if (options)
    return html`<label>${label} <select name="${name}">${options.map(([option, text]) => html`<option value="${option}"${mark('selected', option)}>${text}</option>`)}</select></label>`;
  return type === 'textarea'
    ? html`<label>${label} <textarea name="${name}" rows="3">${value}</textarea></label>`
    : html`<label>${label} <input type="${type ?? 'text'}" name="${name}" value="${value}"></label>`;
}

const buttonFor = (action: string): Markup =>
  html`<button name="action" value="${action}">${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('-', ' ')}</button>`;

const anchor = (href: string, label: string): Markup => html`<a href="${href}">${label}</a>`;

const entryIn = ({ what, link, status, detail }: Entry): Markup =>
  html`<li><span>${link === undefined ? what : anchor(link, what)}</span><span>${status}</span><small>${detail}</small></li>`;

/** Renders a page with a button for each action. */
export function pageHtml(page: SandboxPage, standIn: string, promise: string, actions: readonly string[]): string {
  const { alert, status, image, facts = [], code, fields = [], lists = [], links = [] } = page;
  const content = html`<h1>${page.title}</h1><section>
${alert !== undefined && html`<p role="alert">${alert}</p>`}
${status !== undefined && html`<p class="live" id="status">${status}</p>`}
${image !== undefined && html`<img alt="${page.title}" src="${image}">`}
${code && html`<label>${code[0]} <textarea readonly rows="4">${code[1]}</textarea></label>`}
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${actions.length > 0 && html`<form method="post">${fields.map(fieldIn)}<div class="buttons">${actions.map(buttonFor)}</div></form>`}
${links.map(([href, label]) => html`<p>${anchor(href, label)}</p>`)}</section>
${lists.map(([title, entries]) => html`<section><h2>${title}</h2><ul class="entries live">${entries.length === 0 ? html`<li>None yet.</li>` : entries.map(entryIn)}</ul></section>`)}
${lists.length > 0 && html`<script>${script}</script>`}`;
  return documentOf(page.title, standIn, promise, content);
}

/** Formats cents of Brazilian reais. */
export const reais = (cents: number): string =>
  `R$ ${(cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** The field that selects how the resulting events are delivered. */
export const eventsField = (deliveries: readonly EventDelivery[] = eventDeliveries): Field => ({
  name: 'events',
  label: 'Send events',
  options: deliveries.map((delivery) => [delivery, delivery]),
});

/** A list entry for a sent event, with the status of the response. */
export const sentEntry = (what: string, detail: string, status: number | null): Entry => ({
  what,
  status: status === null ? 'no response' : `response ${status}`,
  detail,
});

export const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
