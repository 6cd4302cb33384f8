/** Points the AWS clients of a command's own process at the emulator. */

/** Removes the developer's own AWS settings, whose profile or endpoint could point elsewhere. */
export function adoptEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, environment);
}
