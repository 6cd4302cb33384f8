/** What the pages of the sandboxes have in common: their looks, and the choice of how events are sent. */
import { type EventFate, eventFates } from './event-sender.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const style = `
  :root { --ink: #16202e; --muted: #51606f; --line: #d5dbe3; --edge: #7c8a99; --paper: #fff; --good: #0b6b4f; --bad: #a3231b; --wait: #7a4d00; }
  * { box-sizing: border-box; }
  body { margin: 0; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; color: var(--ink); background: #eef1f5; }
  header { background: var(--ink); color: #fff; font-size: .875rem; }
  header p { max-width: 60rem; margin: 0 auto; padding: .6rem 1.25rem; display: flex; gap: .25rem 1rem; flex-wrap: wrap; justify-content: space-between; }
  header a { color: #fff; }
  main { max-width: 60rem; margin: 1.5rem auto; padding: 0 1.25rem; display: grid; gap: 1.25rem; align-items: start; }
  main > * { min-width: 0; background: var(--paper); border-radius: 14px; padding: 1.5rem; box-shadow: 0 1px 3px #16202e22; }
  @media (min-width: 52rem) { main { grid-template-columns: 1fr 1fr; } .wide { grid-column: 1 / -1; } }
  h1 { font-size: 1.05rem; font-weight: 600; margin: 0; color: var(--muted); overflow-wrap: anywhere; }
  h2 { font-size: 1rem; margin: 0 0 .75rem; } * + h2 { margin-top: 1.5rem; }
  p { margin: .5rem 0; } ul { margin: 0; padding-left: 1.1rem; } li { overflow-wrap: anywhere; } a { color: #0a55b0; }
  .amount { font-size: 2.25rem; line-height: 1.2; font-weight: 700; margin: .25rem 0; font-variant-numeric: tabular-nums; }
  .amount small { display: inline-block; font-size: 1rem; font-weight: 400; color: var(--muted); } .muted { color: var(--muted); }
  .badge { display: inline-block; padding: .05rem .6rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .875rem; font-weight: 600; color: var(--muted); }
  .badge.good { color: var(--good); } .badge.bad { color: var(--bad); } .badge.wait { color: var(--wait); }
  .alert { border-left: 4px solid var(--bad); background: #fcefee; padding: .6rem .8rem; border-radius: 6px; margin: 0; }
  .alert.good { border-color: var(--good); background: #eaf6f1; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; margin: 1rem 0 0; } dt { color: var(--muted); }
  dd { margin: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  dl.total { grid-template-columns: 1fr auto; border-top: 1px solid var(--line); padding-top: .75rem; } dl.total dd { white-space: nowrap; } dl.total .sum { font-weight: 700; color: var(--ink); }
  dl + form { margin-top: 1.25rem; }
  img.code { display: block; margin: 1rem auto; width: 14rem; max-width: 100%; image-rendering: pixelated; }
  form { display: grid; gap: .9rem; } form p { margin: 0; } form + form { margin-top: 1.25rem; }
  fieldset { border: 0; margin: 0; padding: 0; display: grid; gap: .5rem; min-width: 0; } legend { font-weight: 600; padding: 0; margin-bottom: .4rem; }
  label { display: grid; gap: .25rem; } label.choice { display: flex; gap: .6rem; align-items: center; border: 1px solid var(--line); border-radius: 8px; padding: .55rem .75rem; }
  label.choice span { overflow-wrap: anywhere; } label.choice small { display: block; color: var(--muted); font-variant-numeric: tabular-nums; }
  .row { display: grid; grid-template-columns: 1fr auto; gap: .5rem; align-items: end; }
  .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .5rem; }
  input, select, textarea, button { font: inherit; color: inherit; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: 8px; background: #fff; }
  input[type=radio], input[type=checkbox] { width: 1.15rem; min-height: 1.15rem; flex: none; accent-color: var(--good); } textarea { font: 13px/1.4 ui-monospace, monospace; }
  button { cursor: pointer; font-weight: 500; } button:hover { background: #f1f4f8; } .row button { width: auto; }
  button.main { background: var(--good); border-color: var(--good); color: #fff; font-weight: 600; } button.main:hover { background: #09573f; }
  button.bad { color: var(--bad); border-color: var(--bad); }
  :focus-visible { outline: 3px solid #1a6fe0; outline-offset: 2px; }
  ul.entries { list-style: none; padding: 0; } ul.entries li { display: grid; grid-template-columns: minmax(5.5rem, 1fr) auto; gap: 0 1rem; padding: .6rem 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
  ul.entries small { color: var(--muted); font-size: .875rem; } h1 + form { margin-top: .75rem; }
  ul.entries li > :nth-child(2) { text-align: right; }
  ul.entries li > small { grid-column: 1 / -1; }`;

export interface HostedPage {
  readonly title: string;
  /** Sections, in the columns of the page. */
  readonly content: string;
  /** What the page stands in for. */
  readonly standIn: string;
  /** What cannot happen here. Default: that money moves. */
  readonly promise?: string;
  /** Of the document, in addition. */
  readonly head?: string;
  /** A link to the start page, except on the start page itself. */
  readonly home?: string;
}

export const hostedPage = ({
  title,
  content,
  standIn,
  promise = 'no money moves here',
  head = '',
  home,
}: HostedPage): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><link rel="icon" href="data:,"><style>${style}</style>${head}</head>
<body><header><p><span>Sandbox: ${promise}. This page stands in for ${escaped(standIn)}.</span>
${home === undefined ? '' : `<a href="/">${escaped(home)}</a>`}</p></header>
<main>
${content}
</main></body></html>`;

/** In cents of Brazilian reais. */
export const reais = (cents: number): string =>
  `R$ ${(cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const fateLabels: Readonly<Record<EventFate, string>> = {
  'at once': 'at once',
  late: 'late',
  twice: 'twice',
  reordered: 'after the next event',
  lost: 'never (lost)',
  stale: 'with an old signature',
  forged: 'with a forged signature',
};

export const eventsField = (fates: readonly EventFate[] = eventFates): string =>
  `<label>Send events <select name="events">${fates
    .map((fate) => `<option value="${fate}">${fateLabels[fate]}</option>`)
    .join('')}</select></label>`;

export const badge = (text: string, kind: 'good' | 'bad' | 'wait' | 'plain'): string =>
  `<span class="badge ${kind}" id="status">${escaped(text)}</span>`;

export const alertBox = (text: string | undefined): string =>
  text === undefined ? '' : `<p class="alert" role="alert">${escaped(text)}</p>`;

export const rows = (entries: readonly (readonly [string, string])[]): string =>
  entries.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${value}</dd>`).join('');

export interface Entry {
  /** Shown largest, with a link if there is one. */
  readonly what: string;
  readonly link?: string;
  readonly status: string;
  readonly detail: string;
}

const entryRow = ({ what, link, status, detail }: Entry): string =>
  `<li><span>${link === undefined ? escaped(what) : `<a href="${escaped(link)}">${escaped(what)}</a>`}</span>
<span>${escaped(status)}</span><small>${escaped(detail)}</small></li>`;

/** Nothing without entries. */
export const listed = (title: string, entries: readonly Entry[]): string =>
  entries.length === 0 ? '' : `<h2>${escaped(title)}</h2><ul class="entries">${entries.map(entryRow).join('')}</ul>`;

/** As a whole: it is not broken across lines. */
export const dayAt = (seconds: number): string =>
  new Date(seconds * 1000)
    .toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    .replaceAll(' ', '\u00A0');

export const dateAt = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
