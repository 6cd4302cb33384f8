/** The scopes of a new token: presets, and a checkbox for each scope. */
import { Button, Checkbox, Group, SimpleGrid } from '@mantine/core';
import { type Scope, scopes } from '../../../shared/contracts/scopes.ts';
import { useLanguage } from '../../language/language.tsx';
import { isPreset, presetNames, scopePresets } from './scope-presets.ts';

interface ScopesProps {
  readonly chosen: readonly Scope[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly Scope[]) => void;
}

function Presets({ chosen, onChange }: Omit<ScopesProps, 'error'>) {
  const { text } = useLanguage();
  return (
    <Group gap="xs" role="group" aria-label={text.tokens.presets}>
      {presetNames.map((name) => {
        const isChosen = isPreset(name, chosen);
        return (
          <Button
            key={name}
            size="xs"
            variant={isChosen ? 'filled' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? [] : scopePresets[name])}
          >
            {text.tokens.presetNames[name]}
          </Button>
        );
      })}
    </Group>
  );
}

export function ScopeFields({ chosen, error, onChange }: ScopesProps) {
  const { text } = useLanguage();
  return (
    <Checkbox.Group
      label={text.tokens.scopes}
      description={text.tokens.scopesHint}
      value={[...chosen]}
      error={error}
      onChange={(values) => onChange(scopes.filter((scope) => values.includes(scope)))}
    >
      <Group mt="sm">
        <Presets chosen={chosen} onChange={onChange} />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" my="sm">
        {scopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={text.scopes[scope]} description={scope} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
