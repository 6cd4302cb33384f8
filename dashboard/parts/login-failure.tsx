/** Shows why a log-in or a confirmation failed; the service puts the reason into the page's URL. */
import { Alert } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type LoginProblem, loginProblems } from '../../shared/contracts/login.ts';
import { useLanguage } from '../language/language.tsx';
import { Icon } from './icon.tsx';

const parameter = 'problem';

const problemIn = (search: string): LoginProblem | undefined => {
  const given = new URLSearchParams(search).get(parameter);
  return loginProblems.find((problem) => problem === given);
};

/** The page's URL without the reason, to which a new log-in returns. */
export function withoutProblem(href: string): string {
  const [path = '', search = ''] = href.split('?');
  const rest = new URLSearchParams(search);
  rest.delete(parameter);
  return rest.size > 0 ? `${path}?${rest}` : path;
}

export function LoginFailure() {
  const { text } = useLanguage();
  const problem = problemIn(useLocation().searchStr);
  if (!problem) return null;
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="alert" mb="md">
      {text.loginProblems[problem]}
    </Alert>
  );
}
