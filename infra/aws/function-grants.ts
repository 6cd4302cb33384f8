/** The type of an entry in the permission table: what a function may be allowed to do. */

import type { WorkflowName } from '../../shared/contracts/workflow.ts';
import type { ContentKeyUse } from './content-key.ts';
import type { IdentityUse, OperatorIdentityUse } from './dashboard/identity-access.ts';
import type { TableGrants } from './table-grants.ts';

export interface FunctionGrants {
  readonly table?: TableGrants;
  /**
   * `look`: check that the bucket exists, without access to objects. `keep` and `readKept`: store and read used
   * uploads. `read`: find and read results. `erase`: find and delete the results of deleted tasks. `eraseKept`: find and
   * delete used uploads.
   */
  readonly results?: readonly ('look' | 'put' | 'keep' | 'read' | 'readKept' | 'erase' | 'eraseKept')[];
  /**
   * `put` and `lend`: store copies of inputs for a day and pass them to engines as presigned URLs. `takeUploads` and
   * `readUploads`: accept uploads by presigned forms and URLs, and read or lend them. `readWork` and `deleteWork`: read
   * and delete intermediate files of a workflow. `makeExports` and `lendExports`: store and delete archives of exports,
   * and pass them to owners as presigned URLs. `eraseUploads` and `eraseExports`: delete those of closed accounts. `bury`:
   * remember erased accounts.
   */
  readonly inputs?: readonly (
    | 'put'
    | 'lend'
    | 'readWork'
    | 'deleteWork'
    | 'takeUploads'
    | 'readUploads'
    | 'makeExports'
    | 'lendExports'
    | 'eraseUploads'
    | 'eraseExports'
    | 'bury'
  )[];
  readonly webhookQueue?: readonly ('look' | 'send' | 'receive')[];
  /** The queue of payment events that could not be processed at once. */
  readonly paymentQueue?: readonly ('send' | 'receive')[];
  /** The queue of the inbox: connections that are due, and events that could not be applied at once. */
  readonly inboxQueue?: readonly ('send' | 'receive')[];
  /**
   * Operators' use of all queues. `count`: their messages and dead letters. `look`: at dead letters. `redrive`: count
   * dead letters and move them back.
   */
  readonly queues?: readonly ('count' | 'look' | 'redrive')[];
  /** The workflows of which the function starts executions. */
  readonly starts?: readonly WorkflowName[];
  /** Reports to a waiting execution: the outcome of its job, or that it must retry. */
  readonly workflow?: readonly ('succeed' | 'fail')[];
  readonly webhookKeys?: readonly ('deriveTokens' | 'sign' | 'readPublicKeys')[];
  /**
   * The secrets that the function reads: keys of engines, YouTube, payment gateways and social networks, and the key
   * that makes callback URLs unguessable.
   */
  readonly secrets?: readonly ('engines' | 'youtube' | 'payments' | 'subscriptions' | 'social' | 'callbackAddresses')[];
  /** Use of the key that encrypts the tokens of connected pages. */
  readonly credentials?: readonly ('seal' | 'open')[];
  /** Use of the key that signs the Content Credentials of results, or of its certificates alone. */
  readonly contentKey?: readonly ContentKeyUse[];
  /** Use of the identity provider, on stages with a dashboard. */
  readonly identity?: readonly IdentityUse[];
  /** Use of the operators' identity provider, on stages with a dashboard. */
  readonly operators?: readonly OperatorIdentityUse[];
  /** The kinds of Bedrock models that the function may invoke, on stages with that engine: for media or for texts. */
  readonly models?: readonly ('generate' | 'write')[];
  /** Transcripts and clips by AWS, on stages with that engine: starting, stopping and reading jobs. */
  readonly conversion?: readonly ('make' | 'stop' | 'read')[];
  /** Further settings that the function needs; functions that call engines need the list of the stage's engines. */
  readonly knows?: readonly (
    | 'apiUrl'
    | 'confirmationPrompt'
    | 'dashboardUrl'
    | 'engines'
    | 'likenessConsent'
    | 'publishedRetention'
    | 'resultsRetention'
    | 'resultsUrl'
    | 'signUp'
    | 'socialApps'
    | 'socialNetworks'
    | 'urlPolicy'
    | 'version'
  )[];
}
