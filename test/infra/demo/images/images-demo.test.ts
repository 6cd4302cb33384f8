import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Task } from '../../../../client/client.ts';
import { checks } from '../../../../infra/demo/checks.ts';
import { startImagesShow } from '../../../../infra/demo/images/images-show.ts';
import type { DemoRequest, Order, Orders } from '../../../../infra/demo/order.ts';
import { screen } from '../../../../infra/demo/screen.ts';
import type { Step } from '../../../../infra/demo/show.ts';
import { isTaskType, type TaskType } from '../../../../shared/contracts/generate.ts';
import { capturedStream } from '../captured-stream.ts';
import { type DemoProcess, demoProcess } from '../demo-process.ts';

let demo: DemoProcess | undefined;
afterEach(() => demo?.remove());

const linesWith = (mark: string, { stdout }: DemoProcess): string[] =>
  stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(mark));

const results = [
  '1-image-1.png',
  '1-image-2.png',
  '2-image-edit.png',
  '3-character-replace.png',
  '4-background-remove.png',
  '5-image-upscale.png',
  '6-influencer.png',
  '7-skin-enhance.png',
];

const failedTask = (taskType: TaskType): Task => ({
  id: taskType,
  taskType,
  status: 'failed',
  error: { code: 'CONTENT_REJECTED', message: 'no' },
  input: {},
  creditsUsed: 4,
  creditsRefunded: 4,
  progress: 0,
  createdAt: '2026-11-21T12:00:05.000Z',
});

describe('the demo of images', () => {
  it('saves the results of the seven operations, shows them with the samples on one page, and passes all checks', async () => {
    demo = demoProcess({ args: ['--images'], environment: { OFFLINE_ENGINE_LATENCY_MS: '0' } });

    expect(await demo.ended).toBe(0);
    expect(demo.stderr).toBe('');
    expect(linesWith('✗', demo)).toEqual([]);
    expect(linesWith('✓', demo)).toHaveLength(9);
    expect(demo.stdout).toContain('All 9 passed.');
    expect(demo.stdout).toMatch(/^ +-8 {2}generation {2}image, task /m);
    expect(readdirSync(demo.outDir)).toEqual([...results, 'index.html']);
    const { outDir } = demo;
    const files = results.map((name) => readFileSync(join(outDir, name)).toString('base64'));
    expect(new Set(files).size).toBe(results.length);
    const page = readFileSync(join(demo.outDir, 'index.html'), 'utf8');
    for (const file of files) expect(page).toContain(`base64,${file}"`);
    for (const name of ['astronaut.jpg', 'coffee.png']) expect(page).toContain(`<figcaption>${name}</figcaption>`);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    expect(demo.temporaryFiles()).toEqual([]);
  });

  // That a demo then ends with 1, and which other checks fail, is shown by the demo of all operations.
  it('reports the failed checks of results if every task failed', async () => {
    const show = await startImagesShow();
    const orderOf = (request: DemoRequest): Order => ({
      request,
      status: 202,
      accepted: { taskId: request.name, status: 'queued' },
    });
    const [first, ...others] = show.requests;
    const orders: Orders = [orderOf(first), ...others.map(orderOf)];
    const tasks = show.requests.map(({ name }) => (isTaskType(name) ? failedTask(name) : expect.fail(name)));
    const { stream, text } = capturedStream({ isTTY: false });
    const output = { checks: checks(show.promises), screen: screen(stream), outDir: '/nowhere' };
    const step: Step = (_title, _seconds, work) => work(new AbortController().signal);
    await show.results(output, step, orders, tasks);
    await show.close();

    expect(text()).toContain('7-skin-enhance.png  none: no');
    const failed = output.checks
      .results()
      .flatMap(({ sentence, problems = [] }) => (problems.length ? [sentence] : []));
    expect(failed).toEqual([
      'Every result is an image with the type, dimensions and size that its task states.',
      'Every result matches its request, as far as pixels show.',
    ]);
  });
});
