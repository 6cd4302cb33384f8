/** The part of the storage's client that reads objects, for those who load it only when they need it. */
export { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
