/** What to do while there is nothing to see: from no token to the first result. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { audioContracts } from '../../../shared/contracts/generate-audio.ts';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Section } from '../../parts/section.tsx';
import { curlOf } from '../tasks/curl.ts';

interface StepProps {
  readonly title: string;
  readonly hint: string;
  readonly children?: ReactNode;
}

const Step = ({ title, hint, children }: StepProps) => (
  <li>
    <div>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" mb={children ? 'sm' : 0}>
        {hint}
      </Text>
      {children}
    </div>
  </li>
);

/** The request of the documentation, in the language of the page. */
function useFirstRequest(): string {
  const { text } = useLanguage();
  const { path, example } = audioContracts.generateVoice;
  return curlOf({
    path,
    body: { text: text.first.text, voice: example.body.voice },
  });
}

export function FirstRequest() {
  const { text } = useLanguage();
  return (
    <Section title={text.first.title} hint={text.first.lead}>
      <ol className="steps">
        <Step title={text.first.token} hint={text.first.tokenHint} />
        <Step title={text.first.request} hint={text.first.requestHint}>
          <CodeBlock label="curl" code={useFirstRequest()} />
        </Step>
        <Step title={text.first.watch} hint={text.first.watchHint} />
      </ol>
    </Section>
  );
}
