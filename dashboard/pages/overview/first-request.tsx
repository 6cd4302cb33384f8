/** Steps for a new account, from the first token to the first result. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { audioContracts } from '../../../shared/contracts/generate-audio.ts';
import { useApi } from '../../api/use-api.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage } from '../../language/language.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { Section } from '../../parts/section.tsx';
import { curlOf } from '../tasks/curl.ts';

interface StepProps {
  readonly title: string;
  readonly hint: string;
  readonly isDone?: boolean;
  readonly children?: ReactNode;
}

const Step = ({ title, hint, isDone = false, children }: StepProps) => (
  <li data-done={isDone}>
    <div>
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" mb={children ? 'sm' : 0}>
        {hint}
      </Text>
      {children}
    </div>
  </li>
);

/** The example request of the documentation, in the language of the page. */
export function useFirstRequest(): string {
  const { text } = useLanguage();
  const { apiUrl: baseUrl } = useSession();
  const { path, example } = audioContracts.generateVoice;
  return curlOf({
    baseUrl,
    path,
    body: { text: text.first.text, voice: example.body.voice },
  });
}

export function FirstRequest() {
  const { text } = useLanguage();
  const tokens = useApi(dashboardContracts.listTokens);
  const hasToken = tokens.data?.tokens.some(({ status }) => status === 'active') ?? false;
  const command = useFirstRequest();
  return (
    <Section title={text.first.title} hint={text.first.lead}>
      <ol className="steps">
        <Step title={hasToken ? text.first.tokenDone : text.first.token} hint={text.first.tokenHint} isDone={hasToken}>
          {!hasToken && <LinkButton to="/tokens/new">{text.tokens.create}</LinkButton>}
        </Step>
        <Step title={text.first.request} hint={text.first.requestHint}>
          <CodeBlock label="curl" code={command} />
        </Step>
        <Step title={text.first.watch} hint={text.first.watchHint} />
      </ol>
    </Section>
  );
}
