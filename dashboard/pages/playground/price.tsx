/** The price of a request, which is requested from the service whenever the form is complete. */
import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dashboardContracts } from '../../../shared/contracts/dashboard.ts';
import { ApiError } from '../../api/api-error.ts';
import { useApi, useCall } from '../../api/use-api.ts';
import { useLanguage } from '../../language/language.tsx';
import { failureText } from '../../parts/failure-text.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { useCreditsOf } from '../../parts/use-credits-of.ts';
import type { Field } from './fields.ts';
import { priceOf } from './generate.ts';
import { problemsOf } from './problems.ts';
import type { Request } from './request.ts';
import { useTexts } from './use-texts.ts';

/** How long the user must have typed nothing before the price is requested. */
const pauseMs = 600;

/** The credits of test mode; the test account is created when the playground first needs it. */
export function useTestPurse(isNeeded: boolean) {
  const queries = useQueryClient();
  const tokens = useApi(dashboardContracts.listTokens, {}, { enabled: isNeeded });
  const filling = useCall(dashboardContracts.fillTestCredits, { onSuccess: () => queries.invalidateQueries() });
  const isMissing = isNeeded && tokens.data?.testCredits === null;
  return { isReady: !isNeeded || (tokens.data !== undefined && !isMissing), isMissing, filling };
}

function usePrice({ operation, mode, body, clientReference, contract }: Request) {
  const { isReady } = useTestPurse(mode === 'test');
  const [asked] = useDebouncedValue(JSON.stringify({ operation, mode, body, clientReference }), pauseMs);
  const isCurrent = asked === JSON.stringify({ operation, mode, body, clientReference });
  const isComplete = contract.body.safeParse(body).success;
  const query = useQuery({
    queryKey: ['price', asked],
    queryFn: ({ signal }) => priceOf({ operation, mode, body, clientReference }, signal),
    enabled: isReady && isComplete && isCurrent,
    retry: false,
    staleTime: 15_000,
  });
  const isPending = isComplete && (!isCurrent || query.isPending);
  return { isComplete, isPending, data: isCurrent ? query.data : undefined, error: isCurrent ? query.error : null };
}

/** A link that helps if a request is rejected because something is missing, such as credits. */
function Help({ error, mode }: { readonly error: unknown } & Pick<Request, 'mode'>) {
  const texts = useTexts();
  const { filling } = useTestPurse(mode === 'test');
  if (!(error instanceof ApiError)) return null;
  if (error.status === 403)
    return (
      <LinkButton to="/billing" size="xs" variant="default">
        {texts.plans}
      </LinkButton>
    );
  if (error.status !== 402) return null;
  return mode === 'test' ? (
    <Button size="xs" variant="default" loading={filling.isPending} onClick={() => filling.mutate({})}>
      {texts.fillUp}
    </Button>
  ) : (
    <LinkButton to="/billing" size="xs" variant="default">
      {texts.buy}
    </LinkButton>
  );
}

interface PriceProps {
  readonly request: Request;
  readonly fields: readonly Field[];
  /** The message that the form already shows, which is not repeated here. */
  readonly told: string | undefined;
}

export function Price({ request, fields, told }: PriceProps) {
  const texts = useTexts();
  const { text } = useLanguage();
  const credits = useCreditsOf(request.mode);
  const { data, error, isComplete, isPending } = usePrice(request);
  const said = (): string => {
    if (!isComplete) return texts.completeFirst;
    if (isPending) return texts.pricing;
    if (data) return `${texts.costs(credits(data.cost))} · ${texts.left(credits(data.balance))}`;
    const problems = problemsOf(error, fields);
    if (!problems) return failureText(error, text);
    return Object.entries(problems)
      .map(([name, problem]) =>
        name in texts.fields ? texts.problem(texts.fields[name as Field['name']], problem) : problem,
      )
      .join(' ');
  };
  return (
    <Group gap="sm" role="status" aria-label={texts.price}>
      <Text size="sm" {...(error ? { c: 'var(--mantine-color-error)' } : { fw: data ? 600 : 400 })}>
        {said() !== told && said()}
      </Text>
      <Help error={error} mode={request.mode} />
    </Group>
  );
}
