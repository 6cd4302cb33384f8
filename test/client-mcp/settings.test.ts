/** The settings that the MCP server starts with, and what it says about those that it rejects. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../client/client.ts';
import { failureText } from '../../client-mcp/failure-text.ts';
import { settingsFrom } from '../../client-mcp/settings.ts';

const environment = { API_URL: 'https://api.example.com', API_TOKEN: 'av_secret' };

describe('the settings of the MCP server', () => {
  test('come from flags first, then from the environment', () => {
    const flags = ['--max-credits', '50', '--max-credits-per-call=5', '--base-url', 'http://127.0.0.1:3000'];
    const expected = { baseUrl: 'http://127.0.0.1:3000', token: 'av_secret', maxCredits: 50, maxCreditsPerCall: 5 };
    expect(settingsFrom(flags, { ...environment, MAX_CREDITS: '7', MAX_CREDITS_PER_CALL: '7' })).toEqual(expected);
    expect(settingsFrom([], { ...environment, MAX_CREDITS: '7' })).toMatchObject({
      baseUrl: 'https://api.example.com',
      maxCredits: 7,
      maxCreditsPerCall: undefined,
    });
  });

  test.each([
    ['no limit', [], environment, '--max-credits (or MAX_CREDITS) must be'],
    ['a limit that is no whole number', ['--max-credits=1.5'], environment, '--max-credits (or MAX_CREDITS) must be'],
    ['an empty limit', ['--max-credits='], environment, '--max-credits (or MAX_CREDITS) must be'],
    [
      'a negative limit for each call',
      ['--max-credits=5', '--max-credits-per-call=-1'],
      environment,
      '--max-credits-per-call',
    ],
    ['no URL', ['--max-credits=5'], { API_TOKEN: 'av_secret' }, '--base-url (or API_URL) must be'],
    [
      'a URL with a password',
      ['--max-credits=5', '--base-url=https://a:b@c.d'],
      environment,
      '--base-url (or API_URL) must be',
    ],
    ['no token', ['--max-credits=5'], { API_URL: 'https://api.example.com' }, 'API_TOKEN must be'],
    [
      'a token with a line break',
      ['--max-credits=5'],
      { ...environment, API_TOKEN: 'av_secret\n' },
      'API_TOKEN must be',
    ],
    ['an unknown flag', ['--max-credits=5', '--tokn=av_secret'], environment, '--tokn'],
  ])('with %s are rejected with an error that names the setting', (_, args, variables, message) => {
    const start = () => settingsFrom(args, variables);
    expect(start).toThrow(message);
    expect(start).not.toThrow('av_secret');
  });

  test('in the sample configuration of the README are valid', () => {
    const [, sample = ''] = /^```json\n(.*?)^```$/ms.exec(readFileSync('client-mcp/README.md', 'utf8')) ?? [];
    const { mcpServers } = JSON.parse(sample) as {
      mcpServers: Readonly<Record<string, { args: string[]; env: Record<string, string> }>>;
    };
    const { args = [], env = {} } = mcpServers['generation-service'] ?? {};
    expect(settingsFrom(args.slice(args.findIndex((one) => one.startsWith('--'))), env).maxCredits).toBeGreaterThan(0);
  });
});

describe('the text of a failed tool call', () => {
  test('has the code, the request and what to do', () => {
    const headers = new Headers({ 'x-request-id': 'req-1', 'retry-after': '7' });
    const limited = new ApiError({ status: 429, headers }, { code: 'RATE_LIMITED', message: 'Too many requests' });
    expect(failureText(limited, 'av_secret')).toBe(
      'RATE_LIMITED, request req-1: Too many requests. Try again in 7 seconds.',
    );
    const invalid = new ApiError(
      { status: 400, headers: new Headers() },
      { code: 'VALIDATION_ERROR', message: 'text is required' },
    );
    expect(failureText(invalid, 'av_secret')).toBe('VALIDATION_ERROR: text is required.');
  });

  test('does not have the token, even if an error of the runtime quotes it', () => {
    const error = new TypeError('Headers.append: "Bearer av_secret" is an invalid header value');
    expect(failureText(error, 'av_secret')).toBe('Headers.append: "Bearer [token]" is an invalid header value.');
  });
});
