/** Users of the identity provider, who sign up and log in on its pages. */
import type { Page } from 'playwright-core';
import { sessionKey } from '../../../shared/domain/keys.ts';
import { sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { sessionCookie } from '../../../shared/runtime/cookies.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { dashboard, siteUrl } from './dashboard-harness.ts';

const signUpPassword = 'a long password';

/** An email address that is unique, however often the suite runs against one service. */
export const addressOf = (name: string): string =>
  `${name.toLowerCase()}-${dashboard().service.context.ids.next()}@example.com`;

/** Signs up with a password at the identity provider's page. */
export async function signUp(page: Page, name: string, email = addressOf(name)): Promise<void> {
  await page.getByRole('button', { name: 'Sign up with a password' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(signUpPassword);
  await page.getByRole('button', { name: 'Sign up' }).click();
}

/** Logs in at the substitute for Google, from the page that offers it. */
export async function logInWithGoogle(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await chooseGoogleAccount(page, email);
}

/** Logs in on the page of the substitute for Google. */
export async function chooseGoogleAccount(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

interface Person {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
  readonly subject: string;
  readonly username: string;
  logIn(page: Page): Promise<void>;
}

/** The stored session whose cookie has this value. */
const sessionRow = async (secret: string) =>
  (await dashboard().service.context.table.get(sessionKey(sessionDigest(secret)))) ?? {};

/** Signs a person up through the dashboard, in another browser. */
export async function newPerson(name: string, way: 'sign-up' | 'google' = 'sign-up'): Promise<Person> {
  const [email, password] = [addressOf(name), signUpPassword];
  const browser = testBrowser();
  const { url } = await browser.visit(siteUrl('api/login'));
  await browser.submit(`${url}/${way}`, { email, password, name });
  const response = await fetch(siteUrl('api/session'), { headers: { cookie: browser.header(siteUrl('')) } });
  const { data } = (await response.json()) as { data: { accountId: string } };
  const row = await sessionRow(browser.cookie(siteUrl(''), sessionCookie) ?? '');
  const logIn = async (page: Page): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  };
  return {
    email,
    password,
    accountId: data.accountId,
    subject: String(row.subject),
    username: String(row.username),
    logIn,
  };
}
