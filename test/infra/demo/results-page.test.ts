import { expect, it } from 'vitest';
import { resultsPage } from '../../../infra/demo/results-page.ts';

const bytes = Buffer.from('content');
const file = (contentType: string) => ({ caption: contentType, contentType, bytes });
const page = (changes: Partial<Parameters<typeof resultsPage>[1][number]>) =>
  resultsPage('Results', [{ title: 'one', summary: '', inputs: [], results: [], ...changes }]);

it.each([
  ['image/png', /<img alt="image\/png" src="data:image\/png;base64,Y29udGVudA==">/],
  ['audio/mpeg', /<audio controls[^>]* src="data:audio\/mpeg;base64,Y29udGVudA==">/],
  ['video/mp4', /<video controls[^>]* src="data:video\/mp4;base64,Y29udGVudA==">/],
])('the demo’s results page embeds %s so that it can be seen or played', (contentType, element) => {
  expect(page({ results: [file(contentType)] })).toMatch(element);
});

it('the demo’s results page shows the poster of a video until it is played', () => {
  const video = { ...file('video/mp4'), poster: Buffer.from('still') };
  expect(page({ results: [video] })).toContain('poster="data:image/jpeg;base64,c3RpbGw="');
});

it('the demo’s results page shows an arrow from inputs to results only if there are inputs', () => {
  const results = [file('image/png')];
  expect(page({ inputs: [file('image/jpeg')], results })).toMatch(/image\/jpeg<\/figcaption>.*→.*image\/png/);
  expect(page({ results })).not.toContain('→');
});

it('the demo’s results page escapes text', () => {
  expect(page({ summary: 'a <b> & "c"' })).toContain('<p>a &lt;b&gt; &amp; &quot;c&quot;</p>');
});
