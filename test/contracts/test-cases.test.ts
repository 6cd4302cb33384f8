/** Test cases: where a request may have one, and which texts are test cases. */
import { describe, expect, test } from 'vitest';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { testCaseFields, testCaseOf, testCases, testCaseText } from '../../shared/contracts/test-cases.ts';

const specified = [
  '[test:content_rejected]',
  '[test:provider_error]',
  '[test:provider_timeout]',
  '[test:download_failed]',
  '[test:input_invalid]',
  '[test:slow=20]',
  '[test:progress]',
  '[test:late_callback]',
  '[test:webhook_refused]',
  '[test:unavailable]',
];

const caseIn = (prompt: string) => testCaseOf({ body: { prompt } });

describe('a test case of test mode', () => {
  test('is one of the specified texts', () => {
    expect(Object.keys(testCases).map((name) => testCaseText(name as keyof typeof testCases))).toEqual(specified);
  });

  test.each(specified)('%s is found anywhere in a text', (text) => {
    const found = caseIn(`Um farol ${text} ao amanhecer`);
    expect(found).toMatchObject({ name: /\w{3,}/.exec(text.slice('[test:'.length))?.[0] });
  });

  test.each([1, 20, 120])('may delay the end of the task by %i seconds', (seconds) => {
    expect(caseIn(`[test:slow=${seconds}]`)).toEqual({ name: 'slow', seconds });
  });

  test.each(['[test:slow]', '[test:slow=0]', '[test:slow=121]', '[test:slow=1.5]', '[test:slow=-1]', '[test:]'])(
    '%s is reported as unknown, in a problem that names the field and the existing test cases',
    (text) => {
      expect(caseIn(text)).toEqual({
        problem: `prompt contains a test case that does not exist; the test cases are ${specified.join(', ')}`,
      });
    },
  );

  test.each(['[test:toString]', '[test:provider_error=1]', '[test:Provider_Error]', '[test: provider_error]'])(
    '%s is reported as unknown',
    (text) => expect(caseIn(text)).toHaveProperty('problem'),
  );

  test.each(['', 'a test', 'test:provider_error', '[test:provider_error', '(test:provider_error)'])(
    'is not recognized in the text "%s"',
    (text) => expect(caseIn(text)).toBeUndefined(),
  );

  test('is the first one in the text if the text contains several', () => {
    expect(caseIn('[test:progress][test:provider_error]')).toEqual({ name: 'progress' });
  });
});

describe('a test case of test mode is read', () => {
  const fields = Object.values(generateContracts).map(({ operationId, body }) => {
    const { shape } = body as unknown as { readonly shape: object };
    return [operationId, testCaseFields.filter((field) => Object.hasOwn(shape, field))];
  });

  test('from the main text of each operation that has one', () => {
    expect(Object.fromEntries(fields)).toEqual({
      generateImage: ['prompt'],
      editImage: ['prompt'],
      replaceCharacter: ['prompt'],
      removeBackground: [],
      upscaleImage: [],
      generateInfluencer: ['name'],
      enhanceSkin: [],
      generateVoice: ['text'],
      generateCreativeVideo: ['prompt'],
      generateUgcVideo: [],
      imitateVideo: [],
      generateStudioVideo: ['userPrompt'],
      generateCortes: [],
      changeVoice: [],
    });
  });

  const clientReference = 'order 7 [test:progress]';

  test('from the client reference only if the request has no such text', () => {
    expect(testCaseOf({ body: { imageUrl: 'https://example.com' }, clientReference })).toEqual({ name: 'progress' });
    expect(testCaseOf({ body: { prompt: '' }, clientReference })).toEqual({ name: 'progress' });
    expect(testCaseOf({ body: { prompt: 'a lighthouse' }, clientReference })).toBeUndefined();
    expect(testCaseOf({ body: {}, clientReference: '[test:x]' })).toMatchObject({
      problem: expect.stringMatching(/^X-Client-Reference contains/),
    });
  });

  test('in linear time, however often its beginning is repeated', () => {
    const prompt = '[test:'.repeat(200_000);
    expect(testCaseOf({ body: { prompt } })).toBeUndefined();
    expect(testCaseOf({ body: { prompt: `${prompt}progress]` } })).toMatchObject({ problem: expect.any(String) });
  });
});
