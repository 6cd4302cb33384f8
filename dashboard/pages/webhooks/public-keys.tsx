/** The keys that webhooks are signed with. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';

interface WebhookKeys {
  readonly keys: readonly { readonly kid: string }[];
}

const { path } = documentRoutes.listWebhookKeys;

async function fetchKeys(): Promise<WebhookKeys> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The keys cannot be read: status ${response.status}.`);
  return (await response.json()) as WebhookKeys;
}

export function PublicKeys() {
  const { text } = useLanguage();
  const query = useQuery({ queryKey: [path], queryFn: fetchKeys });
  return (
    <Section title={text.webhooks.keys} hint={text.webhooks.keysHint}>
      <CodeBlock label="JWKS" code={`${location.origin}${path}`} />
      <Loaded query={query} rows={1}>
        {({ keys }) => (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {text.webhooks.keyId}: {keys.map(({ kid }) => kid).join(', ')}
          </Text>
        )}
      </Loaded>
    </Section>
  );
}
