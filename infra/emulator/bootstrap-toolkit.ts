/** Deletes what `cdk bootstrap` created, because the CDK has no command for that and the bucket outlives its stack. */
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

/** The bucket of the assets; undefined if nothing was bootstrapped. */
async function assetsBucket(cloudFormation: CloudFormationClient): Promise<string | undefined> {
  const wanted = new DescribeStackResourceCommand({ StackName, LogicalResourceId: 'StagingBucket' });
  try {
    return (await cloudFormation.send(wanted)).StackResourceDetail?.PhysicalResourceId;
  } catch (error) {
    if (error instanceof CloudFormationServiceException && error.name === 'ValidationError') return undefined;
    throw error;
  }
}

/** Deletes a versioned bucket, for which all versions and delete markers must be deleted. */
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

/** Deletes the toolkit's stack and bucket; all stacks that were deployed with it must be deleted first. */
export async function deleteToolkit(): Promise<void> {
  const cloudFormation = new CloudFormationClient();
  const bucket = await assetsBucket(cloudFormation);
  if (bucket === undefined) return;
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete({ client: cloudFormation, maxWaitTime }, { StackName });
  await deleteBucket(bucket);
  cloudFormation.destroy();
}
