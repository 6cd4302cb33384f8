/** Shell completion: scripts for bash and zsh that are generated from the commands. */
import { type Command, commandOnTarget, required } from './command.ts';
import { type CommandGroup, groups } from './groups.ts';
import { oneOf } from './value-kinds.ts';

/** The words that may follow a group, a command, or one of its options. */
type Candidates = readonly (readonly [place: string, words: readonly string[]])[];

const everywhere = ['--stage', '--json', '--csv', '--help'];

function candidatesOf({ operands, options }: Command, place: string): Candidates {
  const values = Object.values(operands).flatMap(({ kind }) => kind.values ?? []);
  const names = Object.keys(options).map((name) => `--${name}`);
  const ofOptions = Object.entries(options).map(
    ([name, { kind }]) => [`${place} --${name}`, kind.values ?? []] as const,
  );
  return [[place, [...values, ...names, ...everywhere]], ...ofOptions.filter(([, words]) => words.length > 0)];
}

async function candidatesIn({ isCommand, load, name }: CommandGroup): Promise<Candidates> {
  const commands = await load();
  if (isCommand) return commands.flatMap((command) => candidatesOf(command, name));
  const ofCommands = commands.flatMap((command) => candidatesOf(command, `${name} ${command.name}`));
  return [[name, commands.map((command) => command.name)], ...ofCommands];
}

/** Single quotes are enough: no name or value of a command contains anything that a shell interprets between them. */
const lookUp = (candidates: Candidates): string =>
  candidates.map(([place, words]) => `    '${place}') echo '${words.join(' ')}' ;;`).join('\n');

/** What both shells share; `$1` and `$2` are the first two words after the alias, and `$3` is the one before the cursor. */
const shared = (candidates: Candidates): string => `alias admin='npm run --silent admin --'
_admin_at() {
  case "$1" in
${lookUp(candidates)}
  esac
}
_admin_candidates() {
  local found place
  for place in "$1 $2 $3" "$1 $3" "$1 $2" "$1"; do
    found="$(_admin_at "$place")"
    if [ -n "$found" ]; then echo "$found"; return; fi
  done
}`;

const ofShell = {
  bash: `_admin() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(_admin_candidates "\${words[0]-}" "\${words[1]-}" "$3")" -- "$2"))
}
complete -F _admin admin`,
  zsh: `_admin() {
  local before=("\${(@)words[2,CURRENT-1]}")
  compadd -- \${=$(_admin_candidates "$before[1]" "$before[2]" "$words[CURRENT-1]")}
}
compdef _admin admin`,
} as const;

const completion = commandOnTarget({
  name: 'completion',
  summary: 'Print a script that completes these commands in a shell, after the alias "admin".',
  operands: { shell: required(oneOf('SHELL', ['bash', 'zsh']), 'The shell, which reads the script when it starts.') },
  async run({ shell }) {
    const ofGroups = (await Promise.all(groups.map(candidatesIn))).flat();
    const first = [...groups.map(({ name }) => name), ...everywhere];
    return { shell, script: `${shared([['', first], ...ofGroups])}\n${ofShell[shell]}` };
  },
  print: ({ script }) => script,
});

export const completionCommands: readonly Command[] = [completion];
