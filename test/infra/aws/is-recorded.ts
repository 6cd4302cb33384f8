import type { Allowance } from './policies.ts';

/**
 * Whether the uses of a permission are recorded in tests. These are not: parts of AWS without a local substitute, requests
 * that bypass the recorder, and actions by the holders of a presigned URL or form.
 */
export const isRecorded = ({ action, resource }: Allowance): boolean =>
  action.startsWith('dynamodb:') ||
  (action === 's3:PutObject' && resource !== 'inputs/uploads/*') ||
  (action === 's3:GetObject' && !['inputs/inputs/*', 'inputs/exports/*'].includes(resource)) ||
  action === 's3:DeleteObject' ||
  (action.startsWith('sqs:') && resource.endsWith('dead letters')) ||
  ['states:StartExecution', 'states:SendTaskSuccess', 'states:SendTaskFailure', 'sqs:SendMessage'].includes(action);
