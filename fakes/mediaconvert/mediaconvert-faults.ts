/** Documented error responses of MediaConvert. */
import type { Reply } from '../api-server.ts';

const statuses = {
  BadRequestException: 400,
  ForbiddenException: 403,
  NotFoundException: 404,
  ConflictException: 409,
  UnprocessableEntityException: 422,
  TooManyRequestsException: 429,
  InternalServerErrorException: 500,
} as const;

export type MediaConvertFault = keyof typeof statuses;

export const faultReply = (type: MediaConvertFault, message: string): Reply => ({
  status: statuses[type],
  headers: { 'x-amzn-errortype': type },
  body: { message },
});

/** Documented error codes of failed jobs. */
export const jobErrors = { unreadableInput: 1010, missingInput: 1404, writing: 1432, unknown: 1999 } as const;

/** Thrown to fail a job with one of these codes. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  readonly code: number;

  constructor(code: number) {
    super(`code ${code}`);
    this.code = code;
  }
}
