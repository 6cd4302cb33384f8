/** How clients access the local substitutes for AWS, which accept any credentials. */
import type { AwsAccess } from '../../shared/platform/aws-access.ts';
import { localRegion } from './local-arn.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export const localAccess = (endpoint: string): Required<Omit<AwsAccess, 'requestHandler'>> => ({
  endpoint,
  region: localRegion,
  credentials,
});
