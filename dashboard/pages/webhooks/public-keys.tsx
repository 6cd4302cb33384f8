/** The URL of the keys that sign webhooks. */
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Section } from '../../parts/section.tsx';

export const useKeysUrl = (): string => useSession().apiUrl + documentRoutes.listWebhookKeys.path;

export function PublicKeys() {
  const { text } = useLanguage();
  return (
    <Section title={text.webhooks.keys} hint={text.webhooks.keysHint}>
      <CodeBlock label="JWKS" code={useKeysUrl()} />
    </Section>
  );
}
