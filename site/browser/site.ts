/** The scripts of all pages: tabs of samples, buttons that copy code, and the search. */

const chosenKey = 'docs-language';

/** Storage can be blocked; the choice then lasts only until the page is left. */
function stored(): string | null {
  try {
    return localStorage.getItem(chosenKey);
  } catch {
    return null;
  }
}

function store(language: string): void {
  try {
    localStorage.setItem(chosenKey, language);
  } catch {
    // Errors are ignored, because remembering the choice is only a convenience.
  }
}

const groups = [...document.querySelectorAll<HTMLElement>('.samples')];

/** Shows the sample of a language, if the group has one. */
function show(group: HTMLElement, language: string): void {
  const figures = [...group.querySelectorAll<HTMLElement>('figure')];
  const chosen = figures.find((figure) => figure.dataset.language === language);
  if (!chosen) return;
  for (const figure of figures) figure.hidden = figure !== chosen;
  for (const button of group.querySelectorAll<HTMLElement>('[data-choose]')) {
    button.setAttribute('aria-pressed', String(button.dataset.choose === language));
  }
}

function choose(language: string): void {
  for (const group of groups) show(group, language);
}

function addTabs(group: HTMLElement): void {
  const bar = document.createElement('div');
  bar.className = 'tabs';
  for (const figure of group.querySelectorAll<HTMLElement>('figure')) {
    const button = document.createElement('button');
    const { language = '' } = figure.dataset;
    button.type = 'button';
    button.dataset.choose = language;
    button.textContent = figure.querySelector('figcaption')?.textContent ?? '';
    button.addEventListener('click', () => {
      choose(language);
      store(language);
    });
    bar.append(button);
  }
  group.prepend(bar);
  group.classList.add('tabbed');
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = document.documentElement.lang === 'en' ? 'Copy' : 'Copiar';
  const copy = async (): Promise<void> => {
    const before = button.textContent;
    await navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '');
    button.textContent = '✓';
    setTimeout(() => {
      button.textContent = before;
    }, 1500);
  };
  button.addEventListener('click', () => void copy());
  block.append(button);
}

for (const group of groups) {
  addTabs(group);
  show(group, group.querySelector('figure')?.dataset.language ?? '');
}
choose(stored() ?? '');
// Without a secure origin, browsers have no clipboard, so there are no buttons.
if (navigator.clipboard) for (const block of document.querySelectorAll<HTMLElement>('.code')) addCopyButton(block);

const openSearch = (): void => void import('./search.ts').then((search) => search.openSearch());
const searchButton = document.querySelector<HTMLButtonElement>('header .search');
if (searchButton) {
  searchButton.hidden = false;
  searchButton.addEventListener('click', openSearch);
}
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if ((event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping)) {
    event.preventDefault();
    openSearch();
  }
});
