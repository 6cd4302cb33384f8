/** The form for a new token. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import type { AnyErrorCode } from '../../../shared/contracts/errors.ts';
import { tokenNameLimit } from '../../../shared/contracts/limits.ts';
import { type TokenMode, tokenModes } from '../../../shared/contracts/token-modes.ts';
import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../api/use-api.ts';
import { type Session, useSession } from '../../app/session.tsx';
import type { Dictionary } from '../../language/en.ts';
import { useLanguage } from '../../language/language.tsx';
import { ConfirmIdentity } from '../../parts/confirm-identity.tsx';
import { missingConfirmation, needsLogin, rejectedConfirmation } from '../../parts/confirmation.ts';
import { failureText } from '../../parts/failure-text.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { CapField, capOf } from './cap-field.tsx';
import { CreatedToken } from './created-token.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { bodyOf, clearDraft, type Expiry, expiries, saveDraft, savedDraft, type TokenDraft } from './token-draft.ts';

const route = getRouteApi('/tokens/new');

interface FormErrors {
  readonly confirmation?: string;
  readonly name?: string;
  readonly scopes?: string;
  readonly cap?: string;
  readonly other?: string;
}

/** Assigns a rejection to the field that it concerns. */
function errorsOf(error: unknown, text: Dictionary): FormErrors {
  if (!error) return {};
  const confirmation = rejectedConfirmation(error, text);
  if (confirmation !== undefined) return { confirmation };
  const isFull = error instanceof ApiError && error.code === ('TOO_MANY_TOKENS' satisfies AnyErrorCode);
  return { other: isFull ? text.tokens.tooMany : failureText(error, text) };
}

/** Validates the form by the operation's contract. */
function problemsOf(draft: TokenDraft, password: string, session: Session, text: Dictionary): FormErrors {
  const result = dashboardContracts.createToken.body.safeParse(bodyOf(draft, password));
  const confirmation = missingConfirmation(session, password, text);
  const isNamed = !result.error?.issues.some(({ path: [field] }) => field === 'name');
  return {
    ...(confirmation !== undefined && { confirmation }),
    ...(!isNamed && { name: text.tokens.nameMissing }),
    ...(capOf(draft.cap) === 'invalid' && { cap: text.tokens.capInvalid }),
    ...(draft.scopes.length === 0 && { scopes: text.tokens.scopesMissing }),
  };
}

function DraftFields({
  draft,
  errors,
  onChange,
}: {
  readonly draft: TokenDraft;
  readonly errors: FormErrors;
  readonly onChange: (draft: TokenDraft) => void;
}) {
  const { text } = useLanguage();
  return (
    <>
      <TextInput
        label={text.tokens.name}
        description={text.tokens.nameHint}
        required
        maw={420}
        maxLength={tokenNameLimit}
        value={draft.name}
        error={errors.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <NativeSelect
        label={text.tokens.mode}
        description={text.tokens.modeHint}
        maw={420}
        value={draft.mode}
        onChange={({ currentTarget }) => onChange({ ...draft, mode: currentTarget.value as TokenMode })}
        data={tokenModes.map((value) => ({ value, label: text.tokens.modes[value] }))}
      />
      <ScopeFields
        chosen={draft.scopes}
        error={errors.scopes}
        onChange={(chosen) => onChange({ ...draft, scopes: chosen })}
      />
      <NativeSelect
        label={text.tokens.expires}
        maw={240}
        value={draft.expiry}
        onChange={({ currentTarget }) => onChange({ ...draft, expiry: currentTarget.value as Expiry })}
        data={(Object.keys(expiries) as Expiry[]).map((value) => ({ value, label: text.tokens.expiry[value] }))}
      />
      <CapField value={draft.cap} onChange={(cap) => onChange({ ...draft, cap })} />
    </>
  );
}

/** The form's state: its values and errors, and sending it. */
function useTokenForm() {
  const { text } = useLanguage();
  const session = useSession();
  const { mode } = route.useSearch();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => savedDraft(mode));
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<FormErrors>({});
  const create = useCall(dashboardContracts.createToken, {
    onError: () => queries.invalidateQueries({ queryKey: [dashboardContracts.getSession.operationId] }),
    onSuccess: () => {
      clearDraft();
      void queries.invalidateQueries({ queryKey: [dashboardContracts.listTokens.operationId] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = problemsOf(draft, password, session, text);
    setProblems(found);
    if (Object.keys(found).length === 0) create.mutate({ body: bodyOf(draft, password) });
  };
  const errors = { ...errorsOf(create.error, text), ...problems };
  return { session, draft, setDraft, password, setPassword, create, submit, errors };
}

export function NewToken() {
  const { text } = useLanguage();
  const { session, draft, setDraft, password, setPassword, create, submit, errors } = useTokenForm();
  if (create.data) return <CreatedToken created={create.data} />;
  return (
    <Page title={text.tokens.create}>
      <form onSubmit={submit} noValidate>
        <Stack gap="lg">
          <Section title={text.tokens.confirmTitle}>
            <ConfirmIdentity
              session={session}
              password={password}
              error={errors.confirmation}
              needsLogin={needsLogin(create.error)}
              returnTo="tokens/new"
              onPassword={setPassword}
              onLeave={() => saveDraft(draft)}
            />
          </Section>
          <Section title={text.tokens.token}>
            <DraftFields draft={draft} errors={errors} onChange={setDraft} />
          </Section>
          {errors.other !== undefined && (
            <Text c="var(--mantine-color-error)" role="alert">
              {errors.other}
            </Text>
          )}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {text.tokens.create}
            </Button>
            <LinkButton to="/tokens" variant="default">
              {text.common.cancel}
            </LinkButton>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
