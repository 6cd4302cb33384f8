/** Renders the page that shows all results next to their inputs. */

export interface PageFile {
  readonly caption: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** A JPEG that is shown until a video is played, because phones load nothing of the video before that. */
  readonly poster?: Buffer | undefined;
}

export interface PageCard {
  readonly title: string;
  readonly summary: string;
  readonly inputs: readonly PageFile[];
  readonly results: readonly PageFile[];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

const style = `
:root { color-scheme: light dark; --paper: light-dark(#f4f2ed, #16161a); --card: light-dark(#fff, #222228);
  --ink: light-dark(#1b1b22, #ececf1); --faint: light-dark(#62626d, #a2a2ae); --line: light-dark(#e0dcd2, #3a3a44); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0.5rem 0 1.5rem; font-size: clamp(1.4rem, 5vw, 2.2rem); line-height: 1.2; }
article { margin: 0 0 1.5rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
h2 { margin: 0; font-size: 1.2rem; }
p { margin: 0.25rem 0 1rem; color: var(--faint); overflow-wrap: anywhere; }
.files { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; }
figure { flex: 1 1 16rem; min-width: 0; max-width: 34rem; margin: 0; }
figcaption { margin-top: 0.35rem; color: var(--faint); font-size: 0.85rem; overflow-wrap: anywhere; }
img, video { display: block; max-width: 100%; max-height: 80vh; border-radius: 0.5rem; }
img { background: repeating-conic-gradient(#c8c8c8 0 25%, #fff 0 50%) 0 / 1rem 1rem; }
video { background: #16161a; }
audio { display: block; width: 100%; }
.arrow { flex: none; color: var(--faint); font-size: 1.75rem; }
@media (max-width: 40rem) { .files { flex-direction: column; align-items: stretch; } figure { flex: none; }
  .arrow { align-self: center; transform: rotate(90deg); } }
`;

const embedded = (contentType: string, bytes: Buffer): string =>
  `data:${escaped(contentType)};base64,${bytes.toString('base64')}`;

const playerOf = ({ contentType, bytes, caption, poster }: PageFile): string => {
  const source = embedded(contentType, bytes);
  if (contentType.startsWith('audio/')) return `<audio controls preload="metadata" src="${source}"></audio>`;
  if (contentType.startsWith('video/')) {
    const still = poster ? ` poster="${embedded('image/jpeg', poster)}"` : '';
    return `<video controls playsinline preload="metadata"${still} src="${source}"></video>`;
  }
  return `<img alt="${escaped(caption)}" src="${source}">`;
};

const figureOf = (file: PageFile): string =>
  `<figure>${playerOf(file)}<figcaption>${escaped(file.caption)}</figcaption></figure>`;

const cardOf = ({ title, summary, inputs, results }: PageCard): string => {
  const arrow = inputs.length > 0 ? '<span class="arrow" role="img" aria-label="became">→</span>' : '';
  return `<article><h2>${escaped(title)}</h2><p>${escaped(summary)}</p>
<div class="files">${inputs.map(figureOf).join('')}${arrow}${results.map(figureOf).join('')}</div></article>`;
};

/** An HTML document. */
export const resultsPage = (title: string, cards: readonly PageCard[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><h1>${escaped(title)}</h1>
${cards.map(cardOf).join('\n')}
</body></html>
`;
