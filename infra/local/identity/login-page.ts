/** The log-in page of the local identity provider, and its substitute for Google's. */
import { documentOf, html, type Markup } from '../../../fakes/sandbox-page.ts';

const page = (title: string, standIn: string, content: Markup): string =>
  documentOf(title, standIn, 'no real accounts here', content);

const alert = (problem: string | undefined) => problem !== undefined && html`<p role="alert">${problem}</p>`;

export interface LoginPage {
  /** The path of this log-in, to which its forms are sent. */
  readonly path: string;
  readonly problem?: string | undefined;
  /** Whether the page is that of operators, who have passwords and cannot sign up. */
  readonly isForOperators?: boolean;
}

const otherWays = (path: string): Markup => html`<section><h2>Or</h2>
<form method="get" action="${path}/google"><button>Continue with Google</button></form>
<form method="get" action="${path}/sign-up"><button>Sign up with a password</button></form></section>`;

export const loginPage = ({ path, problem, isForOperators = false }: LoginPage): string =>
  page(
    'Log in',
    'Cognito',
    html`<section><h1>${isForOperators ? 'Log in as an operator' : 'Log in to the dashboard'}</h1>${alert(problem)}
<form method="post" action="${path}/password">
<label>E-mail <input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button></form></section>${!isForOperators && otherWays(path)}`,
  );

export const signUpPage = ({ path, problem }: LoginPage): string =>
  page(
    'Sign up',
    'Cognito',
    html`<section><h1>Sign up with a password</h1>${alert(problem)}
<form method="post" action="${path}/sign-up">
<label>Name <input name="name" autocomplete="name" required autofocus></label>
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="new-password" required></label>
<p>The address counts as verified: no code is sent to it.</p>
<button>Sign up</button></form></section>`,
  );

export const googlePage = ({ path, problem }: LoginPage, accounts: readonly string[]): string =>
  page(
    'Google (stand-in)',
    'Google',
    html`<section><h1>Choose an account</h1>${alert(problem)}${accounts.map(
      (email) => html`<form method="post" action="${path}/google">
<input type="hidden" name="email" value="${email}"><button>${email}</button></form>`,
    )}</section>
<section><h2>Use another account</h2><form method="post" action="${path}/google">
<label>E-mail <input name="email" type="email" required></label><button>Continue</button></form></section>`,
  );
