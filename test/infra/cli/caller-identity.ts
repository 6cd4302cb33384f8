/** The response of STS to who the caller is. */

export const callerArn = 'arn:aws:sts::123456789012:assumed-role/Operators/ana@example.com';

export const callerIdentity = `<GetCallerIdentityResponse><GetCallerIdentityResult>
  <Arn>${callerArn}</Arn><UserId>AROA:ana</UserId><Account>123456789012</Account>
  </GetCallerIdentityResult></GetCallerIdentityResponse>`;
