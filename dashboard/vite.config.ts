/**
 * Builds the dashboard to `build/dashboard`; `npx vite dashboard` serves it for development, in front of a running
 * service.
 */
import { defineConfig } from 'vite';
import { withoutProse } from './without-prose.ts';
import { withoutUnusedStyles } from './without-unused-styles.ts';

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/account/',
  plugins: [withoutProse(), withoutUnusedStyles()],
  build: {
    outDir: '../build/dashboard',
    emptyOutDir: true,
    // Vite inlines nothing, because the content security policy forbids inline scripts and fonts in data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'operate.html'].map((page) => `${import.meta.dirname}/${page}`),
      // Ignores warnings about Mantine's `use client` directives, which are meant for React Server Components.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  server: { proxy: { '^/(account/api|operate/api|\\.well-known|results)/': service } },
});
