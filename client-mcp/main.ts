#!/usr/bin/env node
/** `generation-service-mcp`: serves the tools over standard input and output. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { limitedGenerations } from './limited-generations.ts';
import { mcpServer } from './mcp-server.ts';
import { SettingsError, settingsFrom, usage } from './settings.ts';
import { spendingLimit } from './spending-limit.ts';

try {
  const { baseUrl, token, maxCredits, maxCreditsPerCall } = settingsFrom(process.argv.slice(2), process.env);
  // All connections to the process share one limit.
  const limit = spendingLimit(maxCredits, maxCreditsPerCall);
  const generations = limitedGenerations({ baseUrl, token, fetch }, limit);
  serveStdio(() => mcpServer(generations, limit, token));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
