/** How back ends can trust what they are sent. */
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { PublicKeys } from './public-keys.tsx';
import { verifierCode } from './verifier.ts';

export function Webhooks() {
  const { text } = useLanguage();
  return (
    <Page title={text.webhooks.title}>
      <PublicKeys />
      <Section title={text.webhooks.verifier} hint={text.webhooks.verifierHint}>
        <CodeBlock label="verify-webhook.js" code={verifierCode()} />
      </Section>
    </Page>
  );
}
