/** The texts of each page, in English. */
import type { AnyErrorCode } from '../../shared/contracts/errors.ts';
import { daysBetweenReopenings } from '../../shared/contracts/limits.ts';
import { enBilling } from './en-billing.ts';
import { enClosure } from './en-closure.ts';
import { enConnections } from './en-connections.ts';
import { enExport } from './en-export.ts';
import { enInbox } from './en-inbox.ts';
import { enRetention } from './en-retention.ts';
import { enTasks, enWebhooks } from './en-tasks.ts';
import { enView } from './en-view.ts';

const shell = {
  service: 'Generation Service',
  skip: 'Skip to content',
  navigation: 'Main navigation',
  overview: 'Overview',
  dashboard: 'This dashboard',
  playground: 'Playground',
  tasks: 'Tasks',
  tokens: 'Tokens',
  webhooks: 'Webhooks',
  inbox: 'Inbox',
  billing: 'Billing',
  account: 'Account',
  documentation: 'API reference',
  buy: 'Buy credits',
  logOut: 'Log out',
};

const palette = {
  open: 'Search',
  hint: 'Go to a page, a task or an action',
  pages: 'Pages',
  tasks: 'Tasks',
  actions: 'Actions',
  openTask: (id: string) => `Open the task ${id}`,
  withReference: (reference: string) => `Tasks with the reference “${reference}”`,
  nothing: 'Nothing found.',
};

const common = {
  loading: 'Loading…',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  cancel: 'Cancel',
  close: 'Close',
  all: 'All',
  newer: 'Newer',
  older: 'Older',
  newest: 'Back to the newest',
  status: 'Status',
  created: 'Created',
  /** `shown` is the formatted count. */
  creditsOf: (count: number, shown: string) => (count === 1 ? `${shown} credit` : `${shown} credits`),
  testCreditsOf: (count: number, shown: string) => (count === 1 ? `${shown} test credit` : `${shown} test credits`),
  never: 'Never',
  show: 'Show',
  notFoundTitle: 'There is no such page',
  notFound: 'The address may be mistyped, or what it showed is gone.',
  toOverview: 'Go to the overview',
};

const failures = {
  title: 'This could not be loaded',
  network: 'The service cannot be reached. Check your connection and try again.',
  paused: (seconds: number) => `Too many requests: the pages continue in ${seconds} s`,
  pausedHint: 'Other tabs of this session count too. What you see may be older than it looks.',
  rateLimited: (seconds: number) => `Too many requests: wait ${seconds} s and try again.`,
  limited: (wait: string) => `A limit of the account has been reached: try again in ${wait}.`,
  notFound: 'It does not exist, or belongs to another account.',
  forbidden: 'Your session or plan does not permit this.',
  codes: {
    WEBHOOK_NOT_DELIVERABLE: 'The webhook is still being delivered.',
    TASK_NOT_CANCELABLE: 'The task has already ended.',
    MAX_CONCURRENT_TASKS: 'You have as many open tasks of this kind as you can have now: try again when one has ended.',
    SUBSCRIPTION_ALREADY_ACTIVE: 'You already have an active subscription.',
    TOO_MANY_OPEN_ORDERS: 'You have too many unpaid orders: pay one of them, or wait until one expires.',
    IDEMPOTENCY_CONFLICT: 'The same purchase is already in progress. Reload the page.',
    CONNECTION_ERASING: enConnections.problems.erasing,
    OTHER_PAGE_CONNECTED: enConnections.problems['other-page'],
    CLOSURE_FINAL: `You cannot open the account: its time is over, or you have opened it before in the last ${daysBetweenReopenings} days. Support may open it.`,
    PAGE_OF_OTHER_ACCOUNT: enConnections.problems['other-account'],
    CONNECTION_CHANGING: enConnections.problems.changing,
    ACCESS_REJECTED: enConnections.problems.rejected,
  } satisfies Partial<Record<AnyErrorCode, string>>,
  busy: 'The service is busy; try again in a moment.',
  server: 'Something went wrong on our side. Nothing was lost; try again.',
};

const welcome = {
  title: 'Images, speech and video from one API',
  lead: 'Log in to create tokens, follow what your back ends generate, and buy credits.',
  logIn: 'Log in',
  signUp: 'New here? If sign-up is open to you, logging in for the first time creates your account.',
};

const overview = {
  title: 'Overview',
  hello: (name: string) => `Hello, ${name}`,
  balance: 'Balance',
  spent: 'Spent this month',
  /** `shown` is the formatted count. */
  tasksThisMonth: (count: number, shown: string) => (count === 1 ? `${shown} task` : `${shown} tasks`),
  returned: 'Returned this month',
  returnedWhy: 'for tasks that failed',
  runningNow: 'Running now',
  ofLimit: (limit: string) => `of ${limit} concurrent tasks`,
  chart: (month: string) => `Credits spent by day, ${month}`,
  balanceSince: (day: string) => `Balance since ${day}`,
  chartEmpty: 'Nothing was spent this month yet.',
  day: 'Day',
  byOperation: 'By operation',
  byToken: 'By token',
  running: 'Running',
  nothingRuns: 'Nothing is running.',
  failed: 'Recent failures',
  nothingFailed: 'Nothing has failed. Failed tasks appear here with the reason.',
  allTasks: 'All tasks',
  lowTitle: 'Your balance is low',
  low: 'Requests are rejected when it does not cover their cost.',
};

const first = {
  title: 'Make your first request',
  lead: 'Three steps from here to your first result.',
  token: 'Create a token',
  tokenDone: 'You have a token',
  tokenHint: 'It is shown once: store it where your back end reads its secrets.',
  request: 'Send this from a terminal',
  requestHint: 'It converts a sentence to speech and costs 1 credit. Set the token before: export API_TOKEN=av_…',
  watch: 'Watch the result appear',
  watchHint: 'This page updates by itself.',
  text: 'Hello! Your video is ready.',
};

const tokens = {
  title: 'Tokens',
  lead: 'Back ends use tokens to call the API. Each one can do only what its scopes permit.',
  create: 'Create token',
  empty: 'You have no tokens yet',
  emptyHint: 'Create one to make your first request.',
  name: 'Name',
  nameHint: 'Where it is used, such as “Shop, production”.',
  nameMissing: 'Enter a name without line breaks or other control characters.',
  mode: 'Mode',
  modes: { live: 'Live', test: 'Test' },
  modeHint: 'Tasks of test tokens have canned results and cost no real credits.',
  testCredits: 'Test credits',
  testCreditsHint: (credits: string) => `${credits} left for test tokens. Filled up each day at 00:00 UTC.`,
  fillUp: 'Fill up now',
  scopes: 'Scopes',
  scopesHint: 'Grant only what the back end needs.',
  allScopes: 'All scopes',
  scopesMissing: 'Choose at least one scope.',
  presets: 'Choose scopes for a purpose',
  presetNames: { everything: 'Everything', generation: 'Generation', reading: 'Read only', inbox: 'Inbox' },
  expires: 'Expires',
  expiry: { never: 'Never', days30: 'In 30 days', days90: 'In 90 days', days365: 'In a year' },
  cap: 'Monthly cap',
  capLabel: 'Monthly cap in credits',
  capHint: 'What the tasks of this token may cost in a month (UTC). Leave it empty for no cap.',
  capInvalid: 'Enter a whole number of credits, at least 1.',
  saveCap: 'Save',
  spent: (spent: string, cap: string) => `${spent} of ${cap} credits spent this month`,
  lastUsed: 'Last used',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: 'Requests with this token fail from the next second on. This cannot be undone.',
  confirmTitle: 'Confirm that it is you',
  password: 'Your password',
  passwordHint: 'Asked each time, because a session alone is not enough for this. It is not stored.',
  passwordMissing: 'Enter your password.',
  confirmFirst: 'Confirm first.',
  wrongPassword: 'This is not your password.',
  tooManyGuesses: 'Too many wrong passwords: wait some minutes and try again.',
  confirmWith: (provider: string) => `Confirm with ${provider}`,
  confirmHint: (provider: string) =>
    `You log in at ${provider} once more and come back here. What you entered is kept.`,
  logInAgain: 'Log in again',
  logInAgainHint:
    'The password alone is not enough: log in once more, come back here and enter it again. What else you entered is kept.',
  confirmed: (minutes: number) => `Confirmed for another ${minutes} min.`,
  tooMany: 'You have as many active tokens as an account can have. Revoke one first.',
  created: 'Your token is ready',
  once: 'Copy both secrets now: they are shown only this once.',
  token: 'Token',
  webhookToken: 'Webhook token',
  webhookTokenHint: 'Sent as X-Webhook-Token with each webhook, so that your back end knows who is calling.',
  tryIt: 'Try it',
  done: 'I have stored both',
};

const account = {
  title: 'Account',
  profile: 'Profile',
  name: 'Name',
  email: 'E-mail',
  plan: 'Plan',
  noPlan: 'No plan',
  features: 'Features',
  noFeatures: 'None: choose a plan to add some.',
  logInWith: 'Logs in with',
  password: 'a password',
  since: 'Member since',
  accountId: 'Account id',
  limits: 'Limits',
  requests: (count: string) => `${count} requests a minute for each token`,
  simultaneous: (count: string) => `${count} concurrent tasks`,
  sessions: 'Sessions',
  sessionsHint: 'Where you are logged in. End those that you do not recognize.',
  thisSession: 'This session',
  lastSeen: (time: string) => `Last seen ${time}`,
  unknownBrowser: 'Unknown browser',
  end: 'End session',
  preferences: 'Preferences',
  language: 'Language',
  appearance: 'Appearance',
  schemes: { auto: 'System', light: 'Light', dark: 'Dark' },
};

export const enPages = {
  shell,
  palette,
  common,
  failures,
  welcome,
  overview,
  first,
  tasks: enTasks,
  tokens,
  webhooks: enWebhooks,
  billing: enBilling,
  inbox: enInbox,
  closure: enClosure,
  connections: enConnections,
  account,
  export: enExport,
  retention: enRetention,
  view: enView,
};

export type Pages = typeof enPages;
