/** The color scheme and language of the pages, stored in this browser. */
import { Group, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { languageNames, locales } from '../../language/format.ts';
import { useLanguage } from '../../language/language.tsx';
import { Section } from '../../parts/section.tsx';

const schemes = ['auto', 'light', 'dark'] as const;

export function LanguageChoice() {
  const { locale, text, choose } = useLanguage();
  return (
    <SegmentedControl
      aria-label={text.account.language}
      value={locale}
      onChange={choose}
      data={locales.map((value) => ({ value, label: languageNames[value] }))}
    />
  );
}

function SchemeChoice() {
  const { text } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={text.account.appearance}
      value={colorScheme}
      onChange={setColorScheme}
      data={schemes.map((value) => ({ value, label: text.account.schemes[value] }))}
    />
  );
}

export function Preferences() {
  const { text } = useLanguage();
  return (
    <Section title={text.account.preferences}>
      <Group gap="xl">
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {text.account.language}
          </Text>
          <LanguageChoice />
        </div>
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {text.account.appearance}
          </Text>
          <SchemeChoice />
        </div>
      </Group>
    </Section>
  );
}
