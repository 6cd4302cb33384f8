/** The offline engine, started for a test and called over HTTP. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { type OfflineEngineOptions, startOfflineEngine } from '../../offline-engine/offline-engine.ts';

export const engineKey = 'engine-key-of-the-test';

const Report = z.object({
  reference: z.string(),
  status: z.enum(['queued', 'running', 'done', 'failed', 'canceled']),
  progress: z.number(),
  outputs: z
    .array(
      z.strictObject({
        url: z.string(),
        contentType: z.string(),
        width: z.int().positive().optional(),
        height: z.int().positive().optional(),
        durationSec: z.number().positive().optional(),
        posterUrl: z.string().optional(),
        clip: z.object({ score: z.number(), startTime: z.number(), endTime: z.number() }).optional(),
      }),
    )
    .optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      problem: z.object({ field: z.string(), reason: z.string() }).exactOptional(),
    })
    .optional(),
});

export const voiceInput = (changes: Readonly<Record<string, unknown>> = {}) => ({
  text: 'Olá, mundo.',
  voice: 'sarah',
  stability: 0.5,
  similarityBoost: 0.75,
  ...changes,
});

/** Resolves with the first value that is not undefined; the test's time limit ends an unsuccessful wait. */
export const eventually = async <Value>(look: () => Promise<Value | undefined> | Value | undefined): Promise<Value> => {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await sleep(20);
  }
};

const reportOf = async (response: Promise<Response>) => Report.parse(await (await response).json());

export const startEngine = async (changes: Partial<OfflineEngineOptions> = {}) => {
  const filesDir = await mkdtemp(join(tmpdir(), 'offline-engine-'));
  const engine = await startOfflineEngine({ key: engineKey, filesDir, latencyMs: 0, failure: 'none', ...changes });
  const request = (path: string, body?: unknown) =>
    fetch(new URL(path, engine.url), {
      headers: { Authorization: `Bearer ${engineKey}` },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const check = (reference: string) => reportOf(request(`/v1/jobs/${reference}`));

  let orders = 0;
  const submit = (input: unknown, order: { id?: string; operation?: string; callbackUrl?: string } = {}) => {
    orders += 1;
    return reportOf(request('/v1/jobs', { id: `order-${orders}`, operation: 'voice', input, ...order }));
  };
  const ended = (reference: string) =>
    eventually(async () => {
      const report = await check(reference);
      return report.status === 'queued' || report.status === 'running' ? undefined : report;
    });
  return {
    url: engine.url,
    filesDir,
    request,
    check,
    submit,
    ended,
    cancel: (reference: string) => reportOf(request(`/v1/jobs/${reference}/cancel`, {})),
    async close() {
      await engine.close();
      await rm(filesDir, { recursive: true });
    },
  };
};

export type TestEngine = Awaited<ReturnType<typeof startEngine>>;

const workGroups = new Set<string>();

/** The command lines of all processes that work on jobs of this process, including their children. */
export const workProcesses = async (): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pgid=,stat=,args=']);
  const rows = stdout.split('\n').map((line) => {
    const [parent = '', group = '', state = '', ...words] = line.trim().split(/\s+/);
    return { parent, group, state, command: words.join(' ') };
  });
  for (const { parent, group, command } of rows) {
    if (parent === String(process.pid) && command.includes('work-program')) workGroups.add(group);
  }
  return rows
    .filter(({ group, state }) => workGroups.has(group) && !state.startsWith('Z'))
    .map(({ command }) => command);
};
