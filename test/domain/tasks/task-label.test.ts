/** The label of a task in lists. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import * as labels from '../../../shared/domain/tasks/task-label.ts';

const labelOf = (input: Readonly<Record<string, unknown>>, taskType: TaskType = 'image') =>
  labels.labelOf({ taskType, input });

test.each<[string, TaskType, Record<string, unknown>, string | null]>([
  ['the prompt of an image', 'image', { prompt: 'Um farol', negativePrompt: 'pessoas' }, 'Um farol'],
  ['the text of speech, unchanged', 'voice', { text: ' Olá!\nTudo bem? ', voice: 'sarah' }, ' Olá!\nTudo bem? '],
  ['the prompt of a video', 'video-creative', { prompt: 'Café ao amanhecer' }, 'Café ao amanhecer'],
  ['the line that the person speaks', 'video-ugc', { action: 'acena', speech: 'Oi, gente!' }, 'Oi, gente!'],
  ['the prompt of a Studio video', 'video-studio', { mode: 'tour', userPrompt: 'Compre já.' }, 'Compre já.'],
  ['the name of the influencer', 'influencer', { name: 'Lia', description: 'Corre maratonas.' }, 'Lia'],
  [
    'the prompt rather than a file',
    'image-edit',
    { imageUrl: 'https://example.com/a.png', prompt: 'Mais claro' },
    'Mais claro',
  ],
  [
    'the name of the only file',
    'image-upscale',
    { imageUrl: 'https://example.com/fotos/ana%20maria.png?size=2#x', scale: 2 },
    'ana maria.png',
  ],
  [
    'the name of the first file, if a prompt is blank',
    'character-replace',
    { prompt: ' ', imageUrl: 'https://a.example/s.jpg', characterImage: 'https://a.example/c.jpg' },
    's.jpg',
  ],
  ['the name of a file in a list', 'video-ugc', { combinedImages: ['https://example.com/eins.webp'] }, 'eins.webp'],
  [
    'a file name with bidirectional characters, still encoded',
    'voice-change',
    { audioUrl: 'https://example.com/a%E2%80%AE3pm.exe' },
    'a%E2%80%AE3pm.exe',
  ],
  [
    'a file name with an invalid percent-encoding, unchanged',
    'voice-change',
    { audioUrl: 'https://example.com/%ff.mp3' },
    '%ff.mp3',
  ],
  ['null for a link to a page', 'cortes', { videoUrl: 'https://videos.example/watch?v=a.mp4' }, null],
  [
    'null for a hidden file or a folder',
    'video-imitate',
    { motionVideo: 'https://videos.example/.mp4', characterImage: 'https://videos.example/a.b/' },
    null,
  ],
  ['null if it has neither a text nor a file', 'image-upscale', { format: 'png', scale: 2 }, null],
])('the label of a task is %s', (_, taskType, input, label) => {
  expect(labelOf(input, taskType)).toBe(label);
});

test('the label of a task is the whole text if it has at most 80 code points, otherwise its first 80', () => {
  expect(labelOf({ prompt: 'á'.repeat(80) })).toBe('á'.repeat(80));
  expect(labelOf({ prompt: 'x'.repeat(4000) })).toBe('x'.repeat(80));
  expect(labelOf({ prompt: '😀'.repeat(100) })).toBe('😀'.repeat(80));
  expect(labelOf({ imageUrl: `https://example.com/${'a'.repeat(100)}.png` })).toBe('a'.repeat(80));
});

test('the label of a task never ends within a visible character, such as a flag or a letter with its accents', () => {
  const family = '👨‍👩‍👧';
  expect(labelOf({ prompt: 'x'.repeat(76) + family })).toBe('x'.repeat(76));
  expect(labelOf({ prompt: 'x'.repeat(75) + family + family })).toBe(`${'x'.repeat(75)}${family}`);
  expect(labelOf({ prompt: `${'x'.repeat(79)}🇧🇷` })).toBe('x'.repeat(79));
  expect(labelOf({ prompt: `${'x'.repeat(79)}e\u0301` })).toBe('x'.repeat(79));
});

test('the label of a task is a well-formed beginning of its text with at most 80 code points, for any text', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(text, (prompt) => {
      fc.pre(prompt.trim() !== '');
      const label = labelOf({ prompt }) ?? '';
      expect(prompt.startsWith(label)).toBe(true);
      expect(label.isWellFormed()).toBe(true);
      expect(label).not.toBe('');
      expect(Array.from(label).length).toBeLessThanOrEqual(80);
    }),
  );
});

test('the label of a task is not empty even if the first visible character has more than 80 code points', () => {
  expect(labelOf({ prompt: `e${'\u0301'.repeat(200)}` })).toBe(`e${'\u0301'.repeat(79)}`);
});
