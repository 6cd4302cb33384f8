/** The same call as code to copy: for curl, and for the TypeScript and Python clients. */
import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { documentRoutes } from '../../../shared/contracts/documents.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { TextLink } from '../../parts/link-button.tsx';
import { Section } from '../../parts/section.tsx';
import { keyPerRequest } from './key-per-request.ts';
import { preparation, runCommand } from './preparation.ts';
import type { Request } from './request.ts';
import { samplesOf } from './samples.ts';
import { useTexts } from './use-texts.ts';

export function Code({ request }: { readonly request: Request }) {
  const texts = useTexts();
  const { apiUrl } = useSession();
  const { locale } = useLanguage();
  const docs = apiUrl + documentRoutes.getDocs.path;
  const { operation, mode, body, clientReference } = request;
  const [keyOf] = useState(keyPerRequest);
  const samples = samplesOf(request, apiUrl, keyOf([operation, mode, body, clientReference]));
  const [chosen, choose] = useState('curl');
  const sample = samples.find(({ label }) => label === chosen) ?? samples[0];
  const run = runCommand(chosen);
  return (
    <Section title={texts.code} hint={texts.codeHints[request.mode]}>
      <SegmentedControl
        aria-label={texts.codeLanguage}
        value={chosen}
        onChange={choose}
        data={samples.map(({ label }) => label)}
      />
      {sample && (
        <>
          <CodeBlock label={texts.preparation} code={preparation(sample.label, apiUrl)} />
          <CodeBlock label={run === undefined ? sample.label : texts.savedAs(sample.label, run)} code={sample.source} />
        </>
      )}
      <Group gap="md">
        <TextLink to="/tokens/new" search={{ mode }} size="sm" underline="always">
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
