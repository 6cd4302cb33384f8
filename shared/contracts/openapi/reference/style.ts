/** The style sheet of the reference page: wide and narrow screens, light and dark mode, and print. */

export const style = `
:root { color-scheme: light dark; --text: #1c2430; --soft: #596579; --line: #dde2ea; --back: #fff; --panel: #f5f7fa; --accent: #1d4ed8; --code: #f0f3f8; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ef; --soft: #9aa6b8; --line: #2b3442; --back: #12161d; --panel: #181e27; --accent: #8ab4ff; --code: #1d2530; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--back); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.2rem; background: var(--panel); border-right: 1px solid var(--line); font-size: .9rem; }
nav h2 { margin: 1.1rem 0 .3rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .12rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); }
nav .title { margin: 0; font-weight: 700; }
nav .menu { display: none; }
main { max-width: 58rem; padding: 1.5rem 2.5rem 6rem; }
h1 { line-height: 1.2; }
h1 small { font-size: .9rem; font-weight: 400; color: var(--soft); }
main > h2 { margin: 2.6rem 0 .6rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
h3 { margin: 0 0 .4rem; font-size: 1.25rem; }
h4 { margin: 1.3rem 0 .4rem; font-size: .95rem; }
a { color: var(--accent); }
code { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { margin: .4rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: 6px; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin: .5rem 0; font-size: .92rem; }
th, td { padding: .45rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td p { margin: 0 0 .3rem; }
.fields td:first-child { width: 34%; }
.operation { margin: 1.4rem 0 2.6rem; padding: 1.2rem 1.4rem; border: 1px solid var(--line); border-radius: 10px; }
.route { margin: 0 0 .8rem; }
.method { padding: .1rem .45rem; border-radius: 4px; font: 700 .8rem ui-monospace, monospace; color: var(--back); background: var(--accent); }
.status { font-family: ui-monospace, monospace; font-weight: 700; }
.badge { padding: .05rem .4rem; border: 1px solid var(--line); border-radius: 99px; font-size: .7rem; font-weight: 500; color: var(--soft); vertical-align: middle; }
.required { font-size: .75rem; color: #c2410c; }
.type, .limits { font-size: .82rem; color: var(--soft); }
details { margin: .3rem 0; }
summary { cursor: pointer; font-size: .92rem; font-weight: 600; }
@media (max-width: 52rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav .menu { display: block; margin-top: .5rem; }
  nav .contents { display: none; }
  nav a { padding: .35rem 0; }
  main { padding: 1rem 1rem 4rem; }
  .operation { padding: 1rem .9rem; }
  .fields td { display: block; border-bottom: 0; padding: .2rem 0; }
  .fields td:first-child { width: auto; padding-top: .6rem; }
  .fields tr { display: block; border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
}
@media print { nav { display: none; } body { display: block; } }
`;
