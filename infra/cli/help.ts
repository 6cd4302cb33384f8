/** The tool's help, read off its commands. */
import type { Command, CommandGroup, Parameter } from './command.ts';

/** How the tool is called. */
export const program = 'npm run admin --';

const optionUsage = ([name, { kind, required }]: [string, Parameter<unknown>]): string => {
  const usage = `--${name} ${kind.placeholder}`;
  return required ? usage : `[${usage}]`;
};

const usageOf = (group: CommandGroup, { name, operands, options }: Command): string =>
  [
    group.name,
    name,
    ...Object.values(operands).map(({ kind }) => kind.placeholder),
    ...Object.entries(options).map(optionUsage),
  ].join(' ');

const parameterHelp = (title: string, { kind, description }: Parameter<unknown>): string[] => [
  `    ${title}`,
  `        ${description}`,
  `        Must be ${kind.accepts}.`,
];

const commandHelp = (group: CommandGroup, command: Command): string[] => [
  `${program} ${usageOf(group, command)}`,
  `    ${command.summary}`,
  ...Object.values(command.operands).flatMap((operand) => parameterHelp(operand.kind.placeholder, operand)),
  ...Object.entries(command.options).flatMap(([name, option]) =>
    parameterHelp(`--${name} ${option.kind.placeholder}`, option),
  ),
  '',
];

const everywhere = [
  'Every command takes --json: it then prints exactly one JSON document, and a failure as {"error": "…"} on stderr.',
  'In scripts call it as "npm run --silent admin -- …". A value that begins with a dash is written --option=-value.',
  'The service is the one that runs on the data directory LOCAL_DATA_DIR (.local by default), or with --stage <name> the',
  'stage that is deployed in the AWS account and region that the environment names.',
  'Exit codes: 0 done, 1 refused or failed, 2 the command line is wrong.',
];

/** One group: each command with all that it takes. */
export const groupHelp = (group: CommandGroup): string =>
  [group.summary, '', ...group.commands.flatMap((command) => commandHelp(group, command)), ...everywhere].join('\n');

/** All commands, a line each. */
export const help = (groups: readonly CommandGroup[]): string =>
  [
    'Operates a running Generation Service.',
    '',
    `Usage: ${program} <group> <command> [options]`,
    `       ${program} <group> --help`,
    '',
    ...groups.flatMap((group) =>
      group.commands.flatMap((command) => [`  ${usageOf(group, command)}`, `      ${command.summary}`]),
    ),
    '',
    ...everywhere,
  ].join('\n');
