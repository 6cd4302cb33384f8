/** The log-in page of the local identity provider, and its stand-in for Google's. */
import { escaped, hostedPage } from '../sandboxes/hosted-page.ts';

const promise = 'no real accounts here';
const standIn = 'Cognito';

const alert = (problem: string | undefined): string =>
  problem ? `<p class="alert" role="alert">${escaped(problem)}</p>` : '';

export interface LoginPage {
  /** The path of this log-in, to which its forms are sent. */
  readonly path: string;
  readonly problem?: string | undefined;
}

export const loginPage = ({ path, problem }: LoginPage): string =>
  hostedPage({
    title: 'Log in',
    promise,
    standIn,
    content: `<section><h1>Log in to the dashboard</h1>${alert(problem)}
<form method="post" action="${path}/password">
<label>E-mail <input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button class="main">Log in</button></form></section>
<section><h2>Or</h2><form method="get" action="${path}/google"><button>Continue with Google</button></form>
<form method="get" action="${path}/sign-up"><button>Sign up with a password</button></form></section>`,
  });

export const signUpPage = ({ path, problem }: LoginPage): string =>
  hostedPage({
    title: 'Sign up',
    promise,
    standIn,
    content: `<section><h1>Sign up with a password</h1>${alert(problem)}
<form method="post" action="${path}/sign-up">
<label>Name <input name="name" autocomplete="name" required autofocus></label>
<label>E-mail <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="new-password" required></label>
<p class="muted">The address counts as verified: no code is sent to it.</p>
<button class="main">Sign up</button></form></section>`,
  });

export const googlePage = ({ path, problem }: LoginPage, accounts: readonly string[]): string =>
  hostedPage({
    title: 'Google (stand-in)',
    promise,
    standIn: 'Google',
    content: `<section><h1>Choose an account</h1>${alert(problem)}${accounts
      .map(
        (email) => `<form method="post" action="${path}/google">
<input type="hidden" name="email" value="${escaped(email)}"><button>${escaped(email)}</button></form>`,
      )
      .join('')}</section>
<section><h2>Use another account</h2><form method="post" action="${path}/google">
<label>E-mail <input name="email" type="email" required></label><button class="main">Continue</button></form></section>`,
  });
