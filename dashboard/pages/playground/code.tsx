/** The same call as code to copy: curl, and our clients for TypeScript and Python. */
import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Section } from '../../parts/section.tsx';
import type { Request } from './request.ts';
import { samplesOf } from './samples.ts';
import { useTexts } from './use-texts.ts';

/** The key of a request does not change while it is edited: the code stays the same text but for the request. */
const key = crypto.randomUUID();

export function Code({ request }: { readonly request: Request }) {
  const texts = useTexts();
  const { apiUrl } = useSession();
  const { locale } = useLanguage();
  const docs = apiUrl + documentRoutes.getDocs.path;
  const samples = samplesOf(request, apiUrl, key);
  const [chosen, choose] = useState('curl');
  const sample = samples.find(({ label }) => label === chosen) ?? samples[0];
  return (
    <Section title={texts.code} hint={texts.codeHints[request.mode]}>
      <SegmentedControl
        aria-label={texts.codeLanguage}
        value={chosen}
        onChange={choose}
        data={samples.map(({ label }) => label)}
      />
      {sample && <CodeBlock label={sample.label} code={sample.source} />}
      <Group gap="md">
        <TextLink to="/tokens/new" size="sm" underline="always">
          {texts.createToken}
        </TextLink>
        <Anchor href={`${docs}${locale === 'pt-BR' ? '/pt' : ''}/clients`} size="sm" underline="always">
          {texts.install}
        </Anchor>
        <Text size="sm" component="span">
          <Anchor href={`${docs}/reference/${request.contract.operationId}`} size="sm" underline="always">
            {texts.documentation}
          </Anchor>
        </Text>
      </Group>
    </Section>
  );
}
