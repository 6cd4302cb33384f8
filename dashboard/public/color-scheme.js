// Sets the color scheme before the first paint. This is a separate file, because the content security policy forbids
// inline scripts.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : preferred;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
