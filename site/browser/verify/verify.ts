/** The page that checks a file which is chosen or dropped. The file is read here, and only its digest is sent. */
import { readCredentials } from './credentials.ts';
import { type Finding, reportOf } from './report.ts';
import { type Language, texts } from './texts.ts';

const maxBytes = 200 * 2 ** 20;

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

function made(tag: string, text: string, className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

let language: Language = navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
/** The file that was chosen last. */
let latest: File | undefined;
/** What the page shows about a file: nothing yet, progress, or what was found. */
let shown: Finding | 'reading' | 'failed' | undefined;

function reported(finding: Finding): HTMLElement[] {
  const { lines, mood, note, verdict } = reportOf(finding, language);
  const list = document.createElement('dl');
  for (const [term, ...descriptions] of lines) {
    list.append(made('dt', term), made('dd', descriptions.join(' ')));
  }
  const notes = note === undefined ? [] : [made('p', note, 'note')];
  return [made('h2', verdict, mood), ...notes, ...(lines.length > 0 ? [list] : [])];
}

function draw(): void {
  const text = texts[language];
  document.documentElement.lang = language;
  document.title = text.title;
  for (const name of ['title', 'intro', 'choose', 'accepted'] as const) byId(name).textContent = text[name];
  byId('language').textContent = text.other;
  byId('language').lang = language === 'en' ? 'pt-BR' : 'en';
  if (shown === undefined || !latest) return;
  const report = typeof shown === 'string' ? [made('p', text[shown])] : reported(shown);
  byId('report').replaceChildren(made('p', latest.name, 'name'), ...report);
}

/** Asks whether this service published the file with these bytes. */
async function publishedBy(bytes: Uint8Array<ArrayBuffer>): Promise<NonNullable<Finding['published']>> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const response = await fetch(new URL(`api/v1/provenance/${hex}`, document.baseURI)).catch(() => undefined);
  if (response?.status === 404) return 'not published';
  if (!response?.ok) return 'not asked';
  const { data } = (await response.json()) as { readonly data: { readonly publishedAt: string } };
  return { day: data.publishedAt };
}

async function find(file: File): Promise<Finding> {
  if (file.size > maxBytes) return { credentials: 'too large', published: undefined };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [credentials, published] = await Promise.all([readCredentials(bytes), publishedBy(bytes)]);
  return { credentials, published };
}

async function check(file: File | null | undefined): Promise<void> {
  if (!file) return;
  latest = file;
  shown = 'reading';
  draw();
  const found = await find(file).catch(() => 'failed' as const);
  // Another file may have been chosen meanwhile.
  if (latest !== file) return;
  shown = found;
  draw();
}

const input = byId('file') as HTMLInputElement;
input.addEventListener('change', () => {
  void check(input.files?.item(0));
});

const zone = input.closest('label');
addEventListener('dragover', (event) => {
  event.preventDefault();
  zone?.classList.add('over');
});
addEventListener('dragleave', () => zone?.classList.remove('over'));
addEventListener('drop', (event) => {
  event.preventDefault();
  zone?.classList.remove('over');
  void check(event.dataTransfer?.files.item(0));
});
byId('language').addEventListener('click', () => {
  language = language === 'en' ? 'pt-BR' : 'en';
  draw();
});
draw();
