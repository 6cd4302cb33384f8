/** What a function may be allowed to do: a line of the permission table. */
import type { WorkflowName } from '../../shared/contracts/workflow.ts';
import type { IdentityUse } from './dashboard/identity-access.ts';
import type { TableGrants } from './table-grants.ts';

export interface FunctionGrants {
  readonly table?: TableGrants;
  /** `look` checks that the bucket exists, without access to objects; `keep` and `readKept` are for uploaded files. */
  readonly results?: readonly ('look' | 'put' | 'keep' | 'readKept')[];
  /**
   * Copies of tasks' inputs: stored for a day and passed to engines as presigned URLs (`lend`). And uploads of accounts:
   * taken by presigned forms and URLs (`takeUploads`), and read or lent when something uses them (`readUploads`). `readWork` and `deleteWork` are for what
   * the steps of a workflow leave for each other.
   */
  readonly inputs?: readonly ('put' | 'lend' | 'readWork' | 'deleteWork' | 'takeUploads' | 'readUploads')[];
  readonly webhookQueue?: readonly ('look' | 'send' | 'receive')[];
  /** The events of payments that could not be processed at once. */
  readonly paymentQueue?: readonly ('send' | 'receive')[];
  /** Work on connected pages, and their events that could not be applied at once. */
  readonly inboxQueue?: readonly ('send' | 'receive')[];
  /** The workflows whose executions it starts. */
  readonly starts?: readonly WorkflowName[];
  /** Reports to a waiting execution: the outcome of its job, or that it must try again. */
  readonly workflow?: readonly ('succeed' | 'fail')[];
  readonly webhookKeys?: readonly ('deriveTokens' | 'sign' | 'readPublicKeys')[];
  /** The secrets that it reads: keys of engines, of YouTube and of payment gateways, of social networks, and the key that makes callback URLs unguessable. */
  readonly secrets?: readonly ('engines' | 'youtube' | 'payments' | 'subscriptions' | 'social' | 'callbackAddresses')[];
  /** The key that seals the tokens of connected pages. */
  readonly credentials?: readonly ('seal' | 'open')[];
  /** What it does at the identity provider, on stages with a dashboard. */
  readonly identity?: readonly IdentityUse[];
  /** Which of Bedrock's models it may invoke, on stages with that engine: those for media or the one for texts. */
  readonly models?: readonly ('generate' | 'write')[];
  /** Transcripts and clips by AWS, on stages with that engine: making them, stopping that, and reading what was made. */
  readonly conversion?: readonly ('make' | 'stop' | 'read')[];
  /** Further settings that it needs; functions that call engines need the list of the stage's engines. */
  readonly knows?: readonly (
    | 'apiUrl'
    | 'confirmationPrompt'
    | 'dashboardUrl'
    | 'engines'
    | 'resultsRetention'
    | 'resultsUrl'
    | 'signUp'
    | 'socialApps'
    | 'socialNetworks'
    | 'urlPolicy'
    | 'version'
  )[];
}
