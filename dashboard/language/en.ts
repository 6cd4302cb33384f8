/** The texts of all pages in English; other languages have the same keys. */

import type { BillingCycle } from '../../shared/contracts/billing-cycles.ts';
import type { TaskErrorCode } from '../../shared/contracts/errors.ts';
import type { Feature } from '../../shared/contracts/features.ts';
import type { Medium } from '../../shared/contracts/generation-contract.ts';
import type { LedgerReason } from '../../shared/contracts/ledger-reasons.ts';
import type { LoginProblem } from '../../shared/contracts/login.ts';
import type { OrderStatus } from '../../shared/contracts/order-statuses.ts';
import type { Scope } from '../../shared/contracts/scopes.ts';
import type { TaskStatus } from '../../shared/contracts/task-statuses.ts';
import type { TaskType } from '../../shared/contracts/task-types.ts';
import { enPages } from './en-pages.ts';

const taskTypes: Record<TaskType, string> = {
  voice: 'Speech',
  'voice-change': 'Voice change',
  image: 'Image',
  'image-edit': 'Image edit',
  'character-replace': 'Character replacement',
  'background-remove': 'Background removal',
  'image-upscale': 'Upscale',
  influencer: 'Influencer',
  'skin-enhance': 'Skin enhancement',
  'video-creative': 'Creative video',
  'video-ugc': 'UGC video',
  'video-imitate': 'Motion imitation',
  'video-studio': 'Studio video',
  cortes: 'Clips',
};

const taskStatuses: Record<TaskStatus, string> = {
  pending: 'Pending',
  submitted: 'Submitted',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
};

const taskErrors: Record<TaskErrorCode, string> = {
  PROVIDER_ERROR: 'The engine failed. The credits were returned; try again.',
  PROVIDER_TIMEOUT: 'The engine did not finish in time. The credits were returned; try again.',
  CONTENT_REJECTED: 'The safety filter rejected the content, and the credits were returned. Change the request.',
  DOWNLOAD_FAILED: 'An input could not be downloaded, and the credits were returned. Check its address.',
  INPUT_INVALID: 'An input cannot be used, and the credits were returned. Check the file.',
  CANCELED: 'The task was canceled, and the credits were returned.',
  INTERNAL_ERROR: 'An internal error ended the task. The credits were returned; try again.',
};

const media: Record<Medium, string> = { image: 'Images', video: 'Videos', audio: 'Audio' };

const scopes: Record<Scope, string> = {
  'read:profile': 'Read the profile',
  'read:usage': 'Read the balance and its history',
  'read:tasks': 'Read tasks and their results',
  'read:subscriptions': 'Read the subscription',
  'read:orders': 'Read orders',
  'generate:image': 'Generate images',
  'generate:video': 'Generate videos and clips',
  'generate:audio': 'Generate audio',
  'create:credits': 'Buy credit packs',
  'create:subscriptions': 'Subscribe to plans',
  'read:piloto': 'Read the inbox',
  'write:piloto': 'Reply in the inbox',
};

const ledgerReasons: Record<LedgerReason, string> = {
  generation: 'Generation',
  purchase: 'Purchase',
  subscription: 'Subscription',
  bonus: 'Bonus',
  refund: 'Refund',
  adjustment: 'Adjustment',
};

const loginProblems: Record<LoginProblem, string> = {
  expired: 'This log-in took too long or was already used. Log in again.',
  canceled: 'The log-in was canceled. Nothing was changed.',
  closed: 'New accounts are not accepted at the moment.',
  'not-invited': 'This e-mail address has no invitation. Ask the operator of the service for one.',
  'email-unverified': 'Confirm your e-mail address with the log-in provider first.',
  'other-account': 'You logged in with another account. Log in with the one that this session belongs to.',
  'not-recent': 'The log-in provider did not ask who you are. Log in again.',
  disabled: 'This user has been disabled. Contact the operator of the service.',
  failed: 'The log-in failed. Try again.',
};

const orderStatuses: Record<OrderStatus, string> = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  expired: 'Expired',
  canceled: 'Canceled',
  failed: 'Failed',
  refunded: 'Refunded',
};

const billingCycles: Record<BillingCycle, string> = { monthly: 'Monthly', annual: 'Annual' };

const features: Record<Feature, string> = { cortes: 'Clips from long videos', studio: 'Studio', piloto: 'Inbox' };

/** Translations of the default catalog, whose texts are in English. Texts of operators are shown unchanged. */
const catalog: Readonly<Record<string, string>> = {};

export const en = {
  ...enPages,
  taskTypes,
  taskStatuses,
  taskErrors,
  media,
  scopes,
  ledgerReasons,
  loginProblems,
  orderStatuses,
  billingCycles,
  features,
  catalog,
  subscriptionStatuses: {
    pending: 'Waiting for payment',
    active: 'Active',
    past_due: 'Past due',
    canceled: 'Canceled',
  },
  tokenStatuses: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  deliveryStatuses: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
};

export type Dictionary = typeof en;
