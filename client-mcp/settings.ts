/** The settings of the server, from flags and the environment. */
import { parseArgs } from 'node:util';

export interface Settings {
  readonly baseUrl: string;
  readonly token: string;
  readonly maxCredits: number;
  readonly maxCreditsPerCall: number | undefined;
}

export const usage = `Usage: generation-service-mcp --max-credits <number> [--max-credits-per-call <number>] [--base-url <url>]

  --max-credits           credits that all generations of this process may cost together (or MAX_CREDITS)
  --max-credits-per-call  credits that one generation may cost (or MAX_CREDITS_PER_CALL)
  --base-url              the URL of the service (or API_URL)

The API token is read from API_TOKEN only, because other users of the machine can see flags.
`;

/** Thrown if settings are missing or invalid. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

function credits(name: string, variable: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new SettingsError(`--${name} (or ${variable}) must be a whole number of credits from 0 to 999999999.`);
}

function serviceUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return value;
  throw new SettingsError('--base-url (or API_URL) must be an http or https URL without user name and password.');
}

function flagsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { 'base-url': text, 'max-credits': text, 'max-credits-per-call': text };
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
}

/** @throws {SettingsError} */
export function settingsFrom(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const flags = flagsOf(args);
  const perCall = flags['max-credits-per-call'] ?? environment.MAX_CREDITS_PER_CALL;
  const token = environment.API_TOKEN ?? '';
  if (!/^[\x21-\x7e]+$/.test(token)) throw new SettingsError('API_TOKEN must be an API token of the service.');
  return {
    baseUrl: serviceUrl(flags['base-url'] ?? environment.API_URL ?? ''),
    token,
    maxCredits: credits('max-credits', 'MAX_CREDITS', flags['max-credits'] ?? environment.MAX_CREDITS ?? ''),
    maxCreditsPerCall:
      perCall === undefined ? undefined : credits('max-credits-per-call', 'MAX_CREDITS_PER_CALL', perCall),
  };
}
