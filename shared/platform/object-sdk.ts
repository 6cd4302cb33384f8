/** The part of the S3 client that reads objects; imported lazily, because few tasks need it. */
export { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
