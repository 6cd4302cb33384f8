import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { exactly, limitAndOffset, numberBetween, oneOf, positiveNumber, text } from '../../shared/contracts/fields.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { imageContracts } from '../../shared/contracts/generate-images.ts';
import { imageUrl } from '../../shared/contracts/url-fields.ts';
import { addressProblems } from '../../shared/runtime/address-problems.ts';
import { problemsOf } from '../../shared/runtime/validation.ts';
import { voiceSlugs } from '../support/specified-sets.ts';

const voice = generateContracts.generateVoice.body;
const minimal = { text: 'Olá', voice: 'sarah' };

const problems = (schema: z.ZodType, value: unknown): string[] => {
  const { error } = schema.safeParse(value);
  return error ? problemsOf(error) : [];
};

/** Numbers in a client's body: JSON has no NaN and Infinity, but it has 1e999. */
const fromJson = (json: string): unknown => JSON.parse(json);

describe('a validation message', () => {
  it('begins with the field and states what it accepts, in one sentence per problem', () => {
    expect(problems(voice, { text: '', voice: 'sarah', stability: 2, similarityBoost: 'much' })).toEqual([
      'text must be a string of 1 to 2000 characters',
      'stability must be a number between 0 and 1',
      'similarityBoost must be a number between 0 and 1',
    ]);
  });

  it('reports a missing field as required, even if it and its alternative are both missing', () => {
    expect(problems(voice, {})).toEqual(['text is required', 'voice or voiceId is required']);
    expect(problems(voice, { text: 'a' })).toEqual(['voice or voiceId is required']);
  });

  it('lists all voices for an unknown voice', () => {
    const expected = `voice must be one of ${voiceSlugs.join(', ')}`;
    for (const other of ['alloy', '', ' sarah', 5, null, ['sarah']]) {
      expect(problems(voice, { ...minimal, voice: other })).toContain(expected);
    }
  });

  it('says that a number is expected if a string is given', () => {
    const body = { imageUrl: 'https://example.com/a.png', scale: '2' };
    expect(problems(generateContracts.upscaleImage.body, body)).toEqual(['scale must be one of the numbers 2, 4']);
  });

  it('states the range of an integer for any invalid value', () => {
    const schema = z.object(limitAndOffset());
    for (const other of ['0', '101', '-1', '1.5', '1e1', '', ' 5', 'NaN', 'Infinity', '9'.repeat(400)]) {
      expect(problems(schema, { limit: other })).toEqual(['limit must be an integer between 1 and 100']);
    }
  });

  it('is the same for null in an optional field as for a value of a wrong type', () => {
    expect(problems(voice, { ...minimal, voiceId: null, stability: null, callbackUrl: null })).toEqual([
      'voiceId must be a string that is not empty',
      'stability must be a number between 0 and 1',
      'callbackUrl must be an https URL of a public host, at most 2048 characters when percent-encoded',
    ]);
  });

  it('states the maximum length of a text that may be empty, and the lower limit of a positive number', () => {
    const schema = z.object({ note: text(0, 9), seconds: positiveNumber() });
    expect(problems(schema, { note: 'a'.repeat(10), seconds: 0 })).toEqual([
      'note must be a string of at most 9 characters',
      'seconds must be a number greater than 0',
    ]);
  });

  it('is not caused by an excessive duration in a clips request, which is reduced to the largest safe integer', () => {
    const request = { videoUrl: 'https://youtu.be/dQw4w9WgXcQ', durationSec: 1e300 };
    const parsed = generateContracts.generateCortes.body.parse(request);
    expect(parsed).toMatchObject({ durationSec: Number.MAX_SAFE_INTEGER });
  });

  it('names an unknown property before the allowed ones, and shortens the name if it is long', () => {
    const schema = exactly({ planId: text(1, 9) });
    const allowed = 'the body must have no fields besides planId';
    expect(problems(schema, { planId: 'pro', coupon: 1, more: 2 })).toEqual([`"coupon" is not allowed: ${allowed}`]);
    expect(problems(schema, { planId: 'pro', ['é'.repeat(1000)]: 1 })).toEqual([
      `"${'é'.repeat(60)}" is not allowed: ${allowed}`,
    ]);
  });

  it('contains the path of a field inside lists and objects', () => {
    const schema = z.object({ images: z.array(z.object({ role: oneOf(['front', 'back']) })) });
    expect(problems(schema, { images: [{ role: 'front' }, { role: 'top' }, {}] })).toEqual([
      'images[1].role must be one of front, back',
      'images[2].role is required',
    ]);
  });

  it('reports the same problem only once', () => {
    const twice = z
      .string()
      .refine(() => false, 'must be so')
      .refine(() => false, 'must be so');
    expect(problems(z.object({ name: twice }), { name: '' })).toEqual(['name must be so']);
  });
});

describe('a validated text', () => {
  it('has its length measured in code points, not UTF-16 units, and is not trimmed', () => {
    const schema = text(1, 3);
    for (const good of ['😀😀😀', '   ', 'é', '\n']) expect(problems(schema, good)).toEqual([]);
    // The emoji of a family of three has five code points: three people and two joiners.
    for (const bad of ['😀😀😀😀', '👨‍👩‍👧', '', '    ']) expect(problems(schema, bad)).toHaveLength(1);
  });

  it('is rejected if it contains a lone surrogate at any position', () => {
    const [high, low] = '😀'.split('');
    for (const lonely of [high, low, `a${high}b`, `${low}${high}`]) {
      expect(problems(voice, { ...minimal, text: lonely })).toEqual([
        'text must be well-formed Unicode, without unpaired surrogates',
      ]);
    }
  });

  it('is accepted if and only if it is well-formed and its length is in range', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0xff_ff).map((unit) => String.fromCharCode(unit)), maxLength: 12 }),
        (any) => {
          const good = any.isWellFormed() && Array.from(any).length >= 2 && Array.from(any).length <= 6;
          expect(text(2, 6).safeParse(any).success).toBe(good);
        },
      ),
    );
  });
});

describe('a validated number', () => {
  it('is never NaN or infinite', () => {
    const schema = z.object({ stability: numberBetween(0, 1) });
    const sentence = ['stability must be a number between 0 and 1'];
    for (const json of ['1e999', '-1e999', 'null', '"0.5"', '"NaN"', 'true', '[0]']) {
      expect(problems(schema, fromJson(`{"stability":${json}}`))).toEqual(sentence);
    }
    expect(problems(schema, { stability: Number.NaN })).toEqual(sentence);
  });

  it('is accepted if and only if it is in its range', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(numberBetween(0, 1).safeParse(value).success).toBe(value >= 0 && value <= 1);
      }),
    );
  });
});

describe('a validated request body', () => {
  it('loses its unknown properties and gets default values', () => {
    const body = { ...minimal, mood: 'happy', nested: { any: [1] }, constructor: 'x' };
    expect(voice.parse(body)).toEqual({ ...minimal, stability: 0.5, similarityBoost: 0.75 });
    expect(voice.parse(fromJson('{"text":"a","voiceId":"x","__proto__":{"text":"b"}}'))).toEqual({
      text: 'a',
      voiceId: 'x',
      stability: 0.5,
      similarityBoost: 0.75,
    });
  });

  it('may name a voice in any letter case, and has it in lower case', () => {
    for (const slug of voiceSlugs) expect(voice.parse({ ...minimal, voice: slug.toUpperCase() }).voice).toBe(slug);
  });

  it('is rejected if its voice is invalid, even if a voiceId is given', () => {
    expect(problems(voice, { text: 'a', voiceId: 'any', voice: 'unknown' })).toHaveLength(1);
  });
});

describe('URLs in a request', () => {
  const apiUrl = 'http://127.0.0.1:3000';
  const sentence = 'must be an https URL of a public host, at most 2048 characters when percent-encoded';
  const schema = z.object({
    callbackUrl: imageUrl().optional().describe('optional'),
    images: z.array(z.object({ url: imageUrl() })).default([]),
    page: z.url(),
  });

  it('are checked against the URL policy wherever the schema declares one, and nowhere else', () => {
    const value = {
      callbackUrl: 'https://10.0.0.1/',
      images: [{ url: 'https://example.com/1' }, { url: 'http://example.com/2' }],
      page: 'http://127.0.0.1/',
    };
    expect(addressProblems(schema, value, { apiUrl, urlPolicy: 'public' })).toEqual([
      `callbackUrl ${sentence}`,
      `images[1].url ${sentence}`,
    ]);
  });

  it('are checked with the configured URL policy', () => {
    const value = { callbackUrl: 'http://127.0.0.1:8080/', images: [] };
    expect(addressProblems(schema, value, { apiUrl, urlPolicy: 'public' })).toEqual([`callbackUrl ${sentence}`]);
    expect(addressProblems(schema, value, { apiUrl, urlPolicy: 'local' })).toEqual([]);
  });

  it('may be those of uploads under any URL policy, except to receive webhooks', () => {
    const upload = `${apiUrl}/api/v1/files/0193a5c4-9a31-7d0f-8b52-6c7d8e9fa0b1`;
    const settings = { apiUrl, urlPolicy: 'public' } as const;
    expect(
      addressProblems(imageContracts.enhanceSkin.body, { imageUrl: upload, callbackUrl: upload }, settings),
    ).toEqual([`callbackUrl ${sentence}`]);
    for (const other of [upload.replace('3000', '3001'), `${apiUrl}/api/v1/tasks`, `${apiUrl}/api/v1/files`]) {
      expect(addressProblems(imageContracts.enhanceSkin.body, { imageUrl: other }, settings)).toHaveLength(1);
    }
  });

  it('are checked in the field callbackUrl of every generation operation', () => {
    for (const { body } of Object.values(generateContracts)) {
      expect(addressProblems(body, { callbackUrl: 'https://localhost/' }, { apiUrl, urlPolicy: 'public' })).toEqual([
        `callbackUrl ${sentence}`,
      ]);
    }
  });
});
