/** Removes what `cdk bootstrap` created: the CDK has no command for that, and its bucket outlives its stack. */
import {
  CloudFormationClient,
  CloudFormationServiceException,
  DeleteStackCommand,
  DescribeStackResourceCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DeleteBucketCommand, DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';

const StackName = 'CDKToolkit';
const maxWaitTime = 60;

/** The bucket of the assets; undefined when nothing was bootstrapped. */
async function assetsBucket(cloudFormation: CloudFormationClient): Promise<string | undefined> {
  const wanted = new DescribeStackResourceCommand({ StackName, LogicalResourceId: 'StagingBucket' });
  try {
    return (await cloudFormation.send(wanted)).StackResourceDetail?.PhysicalResourceId;
  } catch (error) {
    if (error instanceof CloudFormationServiceException && error.name === 'ValidationError') return undefined;
    throw error;
  }
}

/** The bucket is versioned: all versions and delete markers must be deleted. */
async function deleteBucket(Bucket: string): Promise<void> {
  const s3 = new S3Client({ forcePathStyle: true });
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) break;
    const { Errors: [failure] = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    if (failure) throw new Error(`${failure.Key} in ${Bucket} cannot be deleted: ${failure.Message}`);
  }
  await s3.send(new DeleteBucketCommand({ Bucket }));
  s3.destroy();
}

/** All stacks that were deployed with it must have been deleted. */
export async function deleteToolkit(): Promise<void> {
  const cloudFormation = new CloudFormationClient();
  const bucket = await assetsBucket(cloudFormation);
  if (bucket === undefined) return;
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete({ client: cloudFormation, maxWaitTime }, { StackName });
  await deleteBucket(bucket);
  cloudFormation.destroy();
}
