/** The response of STS to who the caller is. */

/** The role, which identifies an operator whatever name a session chose. */
export const callerRole = 'arn:aws:sts::123456789012:assumed-role/Operators';

export const callerIdentity = `<GetCallerIdentityResponse><GetCallerIdentityResult>
  <Arn>${callerRole}/ana@example.com</Arn><UserId>AROA:ana</UserId><Account>123456789012</Account>
  </GetCallerIdentityResult></GetCallerIdentityResponse>`;
