import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../shared/contracts/registry.ts';
import { published } from '../../support/openapi-document.ts';

const { example } = registry.getTask;
const clip = { url: 'https://a.co/1.mp4', title: null, hook: null, score: null, startTime: null, endTime: null };

/** The document as published, with enumerations that clients must treat as open. */
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(published(), 'openapi');
const accepted = (name: string, value: object) =>
  ajv.validate({ $ref: `openapi#/components/schemas/${name}` }, JSON.parse(JSON.stringify(value)));
const accepts = (given: object) => accepted('Task', { ...example.data, ...given });
const without = (name: string): object => ({ [name]: undefined });
const cortes = { taskType: 'cortes', input: { videoUrl: 'https://a.co/1.mp4' } };
const failed = { status: 'failed', resultUrl: undefined, results: undefined };
const error = { code: 'CANCELED', message: 'no' };

describe('the published schema of a task', () => {
  it.each(['resultUrl', 'results', 'completedAt'])(
    'requires %s in a completed task, but not in an open one',
    (name) => {
      expect(accepts({})).toBe(true);
      expect(accepts(without(name))).toBe(false);
      expect(accepts({ status: 'processing', ...without(name) })).toBe(true);
      const { input: _, ...listed } = example.data;
      expect(accepted('TaskSummary', listed)).toBe(true);
      expect(accepted('TaskSummary', { ...listed, ...without(name) })).toBe(false);
    },
  );

  it('requires the error in a failed task', () => {
    expect(accepts({ ...failed, error })).toBe(true);
    expect(accepts(failed)).toBe(false);
  });

  it('allows clips only in a completed clips task, and requires them there', () => {
    expect(accepts({ ...cortes, clips: [clip] })).toBe(true);
    expect(accepts(cortes)).toBe(false);
    expect(accepts({ ...cortes, ...failed, error })).toBe(true);
    expect(accepts({ clips: [clip] })).toBe(false);
    expect(accepts({ ...cortes, ...failed, error, clips: [clip] })).toBe(false);
  });

  it('types the input by the task type, and accepts values that requests may accept in the future', () => {
    expect(accepts({ input: { text: 5 } })).toBe(false);
    expect(accepts({ input: { voice: 'sarah' } })).toBe(false);
    expect(accepts({ input: { text: 'Oi.', voice: 'a voice of tomorrow' } })).toBe(true);
    expect(accepts({ taskType: 'image', input: { prompt: 'Oi.', aspectRatio: '2:1' } })).toBe(true);
  });

  it('accepts task types and statuses that may be added later, with any input', () => {
    expect(accepts({ taskType: 'music', status: 'paused', input: { bars: 12 }, resultUrl: undefined })).toBe(true);
  });
});
